-- INSERT on outbox_event
EXPLAIN INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at, locked_until)
VALUES ('', '', '', '', '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
-- SELECT (event_id, seq) on outbox_event
EXPLAIN SELECT event_id, seq FROM outbox_event WHERE false;
