-- The indexes of lists of dead letters know which are open: what is resolved is
-- passed over, and what is open is counted, without reading a row.

SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

ALTER TABLE outbox_dlq_event
  DROP KEY outbox_dlq_event_died, ADD KEY outbox_dlq_event_died (died_at, event_id, resolved_at),
  DROP KEY outbox_dlq_event_lane, ADD KEY outbox_dlq_event_lane (event_type, died_at, event_id, resolved_at),
  DROP KEY outbox_dlq_event_tenant, ADD KEY outbox_dlq_event_tenant (tenant_id, died_at, event_id, resolved_at),
  DROP KEY outbox_dlq_event_key, ADD KEY outbox_dlq_event_key (aggregate_id, died_at, event_id, resolved_at);

SET SESSION sql_mode = @ob_mode;
