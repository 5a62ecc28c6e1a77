-- Indexes that are missing or invalid, and the statement that makes each.
SELECT w.name, CASE WHEN i.indexrelid IS NULL THEN 'is missing' ELSE 'is invalid: drop it first' END, w.statement
FROM (
  SELECT trim(BOTH '"' FROM v.name) AS name, to_regclass(v.of_table) AS of_table, v.statement
  FROM (VALUES
    ('outbox_event_pending', 'outbox_event', 'CREATE INDEX CONCURRENTLY outbox_event_pending ON outbox_event (event_type, available_at, seq) WHERE status IN (0, 2)'),
    ('outbox_event_done', 'outbox_event', 'CREATE INDEX CONCURRENTLY outbox_event_done ON outbox_event (done_at) WHERE status = 1'),
    ('outbox_event_foreign_dead', 'outbox_event', 'CREATE INDEX CONCURRENTLY outbox_event_foreign_dead ON outbox_event (seq) WHERE status = 3'),
    ('outbox_dlq_event_died', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_died ON outbox_dlq_event (died_at, event_id, resolved_at)'),
    ('outbox_dlq_event_lane', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_lane ON outbox_dlq_event (event_type, died_at, event_id, resolved_at)'),
    ('outbox_dlq_event_tenant', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_tenant ON outbox_dlq_event (tenant_id, died_at, event_id, resolved_at) WHERE tenant_id IS NOT NULL'),
    ('outbox_dlq_event_key', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_key ON outbox_dlq_event (aggregate_id, died_at, event_id, resolved_at) WHERE aggregate_id IS NOT NULL'),
    ('outbox_dlq_event_group', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_group ON outbox_dlq_event (group_id, died_at, event_id) WHERE resolved_at IS NULL'),
    ('outbox_dlq_event_ungrouped', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_ungrouped ON outbox_dlq_event (seq) WHERE group_id IS NULL'),
    ('outbox_dlq_group_last', 'outbox_dlq_group', 'CREATE INDEX CONCURRENTLY outbox_dlq_group_last ON outbox_dlq_group (last_at, group_id)'),
    ('outbox_dlq_event_resolved', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_resolved ON outbox_dlq_event (resolved_at) WHERE resolved_at IS NOT NULL'),
    ('outbox_dlq_event_status', 'outbox_dlq_event', 'CREATE INDEX CONCURRENTLY outbox_dlq_event_status ON outbox_dlq_event (status) WHERE status IS NOT NULL'),
    ('outbox_consumed_event_age', 'outbox_consumed_event', 'CREATE INDEX CONCURRENTLY outbox_consumed_event_age ON outbox_consumed_event (consumer_group, consumed_at)')
  ) v(name, of_table, statement)
) w
LEFT JOIN pg_class c ON c.relname = w.name AND c.relnamespace = (SELECT t.relnamespace FROM pg_class t WHERE t.oid = w.of_table)
LEFT JOIN pg_index i ON i.indexrelid = c.oid AND i.indrelid = w.of_table
WHERE w.of_table IS NOT NULL AND i.indisvalid IS NOT TRUE
