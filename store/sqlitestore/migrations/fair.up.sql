-- The index for fair claims. It belongs to no version of the schema: it is created
-- only on request. A claim changes none of its columns.

CREATE INDEX IF NOT EXISTS outbox_event_fair ON outbox_event (event_type, coalesce(CAST(tenant_id AS TEXT), ''), available_at, seq) WHERE status IN (0, 2);
