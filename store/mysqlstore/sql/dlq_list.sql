-- ?1 to ?5 as in dlq_count.sql, ?6 and ?7 the letter to start after or null, ?8
-- how many.
SELECT d.event_id, d.seq, d.claim_no, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id,
  d.correlation_id, d.trace_id, d.payload, d.payload_bytes, d.headers, d.attempts, d.last_error, d.failures,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.occurred_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.created_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.died_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.resolved_at)
FROM outbox_dlq_event d
WHERE (CHAR_LENGTH(?1) = 0 OR (d.event_type = ?1 AND CAST(d.event_type AS BINARY) = ?1))
  AND (CHAR_LENGTH(?2) = 0 OR LOCATE(?2, d.last_error) > 0)
  AND (d.resolved_at IS NOT NULL) = ?3
  AND (?4 IS NULL OR d.died_at < ?4)
  AND (?5 IS NULL OR d.died_at > ?5)
  AND (?6 IS NULL OR (d.died_at <= ?6 AND (d.died_at < ?6 OR d.event_id < ?7)))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT ?8
