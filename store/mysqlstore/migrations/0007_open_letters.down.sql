SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

ALTER TABLE outbox_dlq_event
  DROP KEY outbox_dlq_event_died, ADD KEY outbox_dlq_event_died (died_at, event_id),
  DROP KEY outbox_dlq_event_lane, ADD KEY outbox_dlq_event_lane (event_type, died_at, event_id),
  DROP KEY outbox_dlq_event_tenant, ADD KEY outbox_dlq_event_tenant (tenant_id, died_at, event_id),
  DROP KEY outbox_dlq_event_key, ADD KEY outbox_dlq_event_key (aggregate_id, died_at, event_id);

SET SESSION sql_mode = @ob_mode;
