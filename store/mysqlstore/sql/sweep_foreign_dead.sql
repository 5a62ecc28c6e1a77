-- ?1 [seq] of each row.
INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, died_at, last_error, failures, claim_no)
SELECT e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id,
  e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.occurred_at, e.created_at, UTC_TIMESTAMP(6), e.last_error, e.failures, e.claim_no
FROM JSON_TABLE(?1, '$[*]' COLUMNS (seq BIGINT PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.status = 3
