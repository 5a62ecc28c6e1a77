-- The rows are in the table again. Those that are done need a moment, and dead
-- ones leave.

UPDATE outbox_event SET done_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) WHERE status = 1 AND done_at IS NULL;

INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
SELECT event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no
FROM outbox_event WHERE status = 3;

DELETE FROM outbox_event WHERE status = 3;
