-- ?1 [seq] of each row. Times are microseconds since 1970, here and in the other
-- statements: what a driver makes of a DATETIME depends on its settings.
SELECT e.event_id, e.seq, e.claim_no, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.recovered,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.available_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.occurred_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.created_at), e.failures
FROM JSON_TABLE(?1, '$[*]' COLUMNS (seq BIGINT PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
