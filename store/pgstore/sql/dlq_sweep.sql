-- $1 age in microseconds, $2 how many. Any plan evaluates the array once; a
-- subquery may run once per letter, each time with its limit. A letter that
-- changed while it was being locked has another place, and waits for the next
-- sweep.
DELETE FROM outbox_dlq_event d
WHERE d.ctid = ANY (ARRAY(
  SELECT r.ctid FROM outbox_dlq_event r
  WHERE r.resolved_at IS NOT NULL AND r.resolved_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
  ORDER BY r.resolved_at LIMIT $2::int FOR UPDATE SKIP LOCKED))
