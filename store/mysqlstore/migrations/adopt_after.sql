-- Dead events leave the table; what a crash leaves here, the sweep takes along.

START TRANSACTION;

INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
SELECT e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id,
  e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.occurred_at, e.created_at, e.last_error, e.failures, e.claim_no
FROM outbox_event e
WHERE e.lane = '' AND e.status = 3
FOR UPDATE;

DELETE FROM outbox_event WHERE lane = '' AND status = 3;

COMMIT;
