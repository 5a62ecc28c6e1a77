DO $$
DECLARE
  old regclass;
BEGIN
  FOR old IN
    SELECT i.indexrelid
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = 'outbox_dlq_event'::regclass AND c.relname IN (
      trim(BOTH '"' FROM 'outbox_dlq_event_died'), trim(BOTH '"' FROM 'outbox_dlq_event_lane'),
      trim(BOTH '"' FROM 'outbox_dlq_event_tenant'), trim(BOTH '"' FROM 'outbox_dlq_event_key'))
  LOOP
    EXECUTE format('DROP INDEX %s', old);
  END LOOP;
END
$$;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_died ON outbox_dlq_event (died_at, event_id);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_lane ON outbox_dlq_event (event_type, died_at, event_id);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_tenant ON outbox_dlq_event (tenant_id, died_at, event_id) WHERE tenant_id IS NOT NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_key ON outbox_dlq_event (aggregate_id, died_at, event_id) WHERE aggregate_id IS NOT NULL;
