DROP INDEX IF EXISTS outbox_dlq_event_died;

DROP INDEX IF EXISTS outbox_dlq_event_lane;

DROP INDEX IF EXISTS outbox_dlq_event_tenant;

DROP INDEX IF EXISTS outbox_dlq_event_key;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_died ON outbox_dlq_event (died_at, event_id);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_lane ON outbox_dlq_event (event_type, died_at, event_id);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_tenant ON outbox_dlq_event (tenant_id, died_at, event_id) WHERE tenant_id IS NOT NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_key ON outbox_dlq_event (aggregate_id, died_at, event_id) WHERE aggregate_id IS NOT NULL;
