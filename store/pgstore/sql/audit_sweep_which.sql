-- $1 age in microseconds, $2 how many to look at. The earliest ones are found by
-- their number: an index by time would be for this alone. It cannot skip what is
-- locked: SKIP LOCKED needs the right to UPDATE.
SELECT e.audit_id
FROM (SELECT a.audit_id, a.acted_at FROM outbox_audit a ORDER BY a.audit_id LIMIT $2::int) e
WHERE e.acted_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
