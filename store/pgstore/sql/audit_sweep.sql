-- $1 age in microseconds, $2 how many to look at. The earliest ones are found by
-- their number: an index by time would be for this alone.
WITH earliest AS MATERIALIZED (
  SELECT audit_id, acted_at FROM outbox_audit ORDER BY audit_id LIMIT $2::int
)
DELETE FROM outbox_audit a
USING earliest e
WHERE a.audit_id = e.audit_id
  AND e.acted_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
