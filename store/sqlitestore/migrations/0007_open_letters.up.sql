-- The indexes of lists of dead letters know which are open: what is resolved is
-- passed over, and what is open is counted, without reading a row.

DROP INDEX IF EXISTS outbox_dlq_event_died;

DROP INDEX IF EXISTS outbox_dlq_event_lane;

DROP INDEX IF EXISTS outbox_dlq_event_tenant;

DROP INDEX IF EXISTS outbox_dlq_event_key;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_died ON outbox_dlq_event (died_at, event_id, resolved_at);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_lane ON outbox_dlq_event (event_type, died_at, event_id, resolved_at);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_tenant ON outbox_dlq_event (tenant_id, died_at, event_id, resolved_at) WHERE tenant_id IS NOT NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_key ON outbox_dlq_event (aggregate_id, died_at, event_id, resolved_at) WHERE aggregate_id IS NOT NULL;
