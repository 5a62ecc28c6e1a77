-- Indexes that are missing, and the statement that makes each.
SELECT trim(w.name, '"'), 'is missing', w.statement
FROM (
  SELECT 'outbox_event_pending' AS name, 'CREATE INDEX outbox_event_pending ON outbox_event (event_type, available_at, seq) WHERE status IN (0, 2)' AS statement
  UNION ALL SELECT 'outbox_event_done', 'CREATE INDEX outbox_event_done ON outbox_event (done_at) WHERE status = 1'
  UNION ALL SELECT 'outbox_event_foreign_dead', 'CREATE INDEX outbox_event_foreign_dead ON outbox_event (seq) WHERE status = 3'
  UNION ALL SELECT 'outbox_event_foreign_times', 'CREATE INDEX outbox_event_foreign_times ON outbox_event (seq) WHERE status IN (0, 2) AND typeof(available_at) = ''text'''
  UNION ALL SELECT 'outbox_dlq_event_died', 'CREATE INDEX outbox_dlq_event_died ON outbox_dlq_event (died_at, event_id, resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_lane', 'CREATE INDEX outbox_dlq_event_lane ON outbox_dlq_event (event_type, died_at, event_id, resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_tenant', 'CREATE INDEX outbox_dlq_event_tenant ON outbox_dlq_event (tenant_id, died_at, event_id, resolved_at) WHERE tenant_id IS NOT NULL'
  UNION ALL SELECT 'outbox_dlq_event_key', 'CREATE INDEX outbox_dlq_event_key ON outbox_dlq_event (aggregate_id, died_at, event_id, resolved_at) WHERE aggregate_id IS NOT NULL'
  UNION ALL SELECT 'outbox_dlq_event_group', 'CREATE INDEX outbox_dlq_event_group ON outbox_dlq_event (group_id, died_at, event_id) WHERE resolved_at IS NULL'
  UNION ALL SELECT 'outbox_dlq_event_ungrouped', 'CREATE INDEX outbox_dlq_event_ungrouped ON outbox_dlq_event (seq) WHERE group_id IS NULL'
  UNION ALL SELECT 'outbox_dlq_group_last', 'CREATE INDEX outbox_dlq_group_last ON outbox_dlq_group (last_at, group_id)'
  UNION ALL SELECT 'outbox_dlq_event_resolved', 'CREATE INDEX outbox_dlq_event_resolved ON outbox_dlq_event (resolved_at) WHERE resolved_at IS NOT NULL'
  UNION ALL SELECT 'outbox_dlq_event_status', 'CREATE INDEX outbox_dlq_event_status ON outbox_dlq_event (status) WHERE status IS NOT NULL'
  UNION ALL SELECT 'outbox_consumed_event_age', 'CREATE INDEX outbox_consumed_event_age ON outbox_consumed_event (consumer_group, consumed_at)'
) w
WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema s WHERE s.type = 'index' AND s.name = trim(w.name, '"'))
