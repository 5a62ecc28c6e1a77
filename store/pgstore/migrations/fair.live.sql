-- The same for a table in use. It runs outside of a transaction.

CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_event_fair ON outbox_event (event_type, (coalesce(tenant_id, '') COLLATE "C"), available_at, seq) WHERE status IN (0, 2);
