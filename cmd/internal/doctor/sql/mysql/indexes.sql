-- Indexes that are missing, and the statement that makes each. The server hides tables
-- that the user has no privilege for, with their indexes; MariaDB also hides all indexes
-- of a table from a user who has privileges for single columns only.
SELECT w.name, 'is missing', w.statement
FROM (
  SELECT 'outbox_event_id' AS name, 'outbox_event' AS of_table, 'ALTER TABLE outbox_event ADD UNIQUE KEY outbox_event_id (event_id)' AS statement
  UNION ALL SELECT 'outbox_event_pending', 'outbox_event', 'ALTER TABLE outbox_event ADD KEY outbox_event_pending (lane, available_at, seq)'
  UNION ALL SELECT 'outbox_dlq_event_died', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_died (died_at, event_id, resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_lane', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_lane (event_type, died_at, event_id, resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_tenant', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_tenant (tenant_id, died_at, event_id, resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_key', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_key (aggregate_id, died_at, event_id, resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_group', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_group (group_id, resolved_at, died_at, event_id)'
  UNION ALL SELECT 'outbox_dlq_group_last', 'outbox_dlq_group', 'ALTER TABLE outbox_dlq_group ADD KEY outbox_dlq_group_last (last_at, group_id)'
  UNION ALL SELECT 'outbox_dlq_event_resolved', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_resolved (resolved_at)'
  UNION ALL SELECT 'outbox_dlq_event_status', 'outbox_dlq_event', 'ALTER TABLE outbox_dlq_event ADD KEY outbox_dlq_event_status (status)'
  UNION ALL SELECT 'outbox_consumed_event_age', 'outbox_consumed_event', 'ALTER TABLE outbox_consumed_event ADD KEY outbox_consumed_event_age (consumer_group, consumed_at)'
) w
JOIN information_schema.tables t
  ON t.table_schema = IF(LOCATE('.', w.of_table), SUBSTRING_INDEX(w.of_table, '.', 1), DATABASE())
  AND t.table_name = SUBSTRING_INDEX(w.of_table, '.', -1)
WHERE NOT EXISTS (
  SELECT 1 FROM information_schema.statistics s
  WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_name = TRIM(BOTH '`' FROM w.name))
AND EXISTS (
  SELECT 1 FROM information_schema.statistics s
  WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name)
