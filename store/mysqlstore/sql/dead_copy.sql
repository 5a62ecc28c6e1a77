-- Parameters as in settle_rest.sql, of dead events.
-- which: held_lock
INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, died_at, last_error, failures, claim_no)
SELECT e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id,
  e.trace_id, e.payload, e.payload_bytes, e.headers, h.attempts, e.occurred_at, e.created_at, UTC_TIMESTAMP(6), h.reason, h.failures, e.claim_no
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', claim_no BIGINT PATH '$[2]',
  kind INT PATH '$[3]', attempts INT PATH '$[4]', delay BIGINT PATH '$[5]',
  reason LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[6]',
  failures LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[7]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.event_id = h.event_id AND e.claim_no = h.claim_no
  AND e.locked_by <=> IF(h.claim_no > 0, ?2, NULL)
  AND e.status IN (0, 2)
