-- ?1 how many. Rows that another program marked as dead in place: their lane is
-- empty. They are locked until sweep_foreign_dead_drop.sql has removed them.
INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
SELECT e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id,
  e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.occurred_at, e.created_at, e.last_error, e.failures, e.claim_no
FROM outbox_event e FORCE INDEX (outbox_event_pending)
WHERE e.lane = '' AND e.status = 3
  AND NOT EXISTS (SELECT 1 FROM outbox_dlq_event d WHERE d.event_id = e.event_id AND d.seq = e.seq)
ORDER BY e.available_at, e.seq
LIMIT ?1
FOR UPDATE
