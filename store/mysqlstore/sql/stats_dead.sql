-- ?1 where to stop counting. Unresolved dead letters per lane. The hint: see dlq_count.sql.
SELECT s.lane, COUNT(*)
FROM (SELECT /*+ NO_SKIP_SCAN(d) */ CONVERT(d.event_type USING binary) AS lane FROM outbox_dlq_event d WHERE d.resolved_at IS NULL LIMIT ?1) s
GROUP BY s.lane
ORDER BY s.lane
