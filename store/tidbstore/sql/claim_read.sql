-- ?1 [seq] of each row, ?2 age in microseconds. Locks the rows, or fails if it
-- would have to wait, and returns those that are still free, as claim_mark.sql
-- leaves them: the number of the claim is the next one. A read that locks sees
-- what was committed last.
SELECT e.event_id, e.seq, e.claim_no + 1, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.recovered + (e.locked_by IS NOT NULL),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.available_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.occurred_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.created_at), e.failures
FROM outbox_event e FORCE INDEX (PRIMARY)
WHERE e.seq IN (?1[0]) AND e.status IN (0, 2)
  AND e.available_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
  AND (e.locked_until IS NULL OR e.locked_until <= UTC_TIMESTAMP(6))
FOR UPDATE NOWAIT
