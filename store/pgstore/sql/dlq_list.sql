-- $1 to $5 as in dlq_count.sql, $6 and $7 the letter to start after or null,
-- $8 how many.
SELECT d.event_id, d.seq, d.claim_no, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id,
  d.correlation_id, d.trace_id, d.payload::text, d.payload_bytes, d.headers::text, d.attempts, d.last_error, d.failures,
  d.occurred_at, d.created_at, d.died_at, d.resolved_at
FROM outbox_dlq_event d
WHERE ($1::text = '' OR d.event_type = $1::text)
  AND ($2::text = '' OR position($2::text IN d.last_error) > 0)
  AND (d.resolved_at IS NOT NULL) = $3::boolean
  AND ($4::timestamptz IS NULL OR d.died_at < $4::timestamptz)
  AND ($5::timestamptz IS NULL OR d.died_at > $5::timestamptz)
  AND ($6::timestamptz IS NULL OR (d.died_at, d.event_id) < ($6::timestamptz, $7::text))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT $8::int
