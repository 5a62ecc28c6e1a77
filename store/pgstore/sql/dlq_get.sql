-- $1 event id. An id that died twice has two letters; this returns the later
-- one.
SELECT d.event_id, d.seq, d.claim_no, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id,
  d.correlation_id, d.trace_id, d.payload::text, d.payload_bytes, d.headers::text, d.attempts, d.last_error, d.failures,
  d.occurred_at, d.created_at, d.died_at, d.resolved_at
FROM outbox_dlq_event d
WHERE d.event_id = $1::text
ORDER BY d.seq DESC
LIMIT 1
