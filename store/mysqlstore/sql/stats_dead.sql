-- ?1 where to stop counting. Unresolved dead letters per lane.
SELECT s.lane, COUNT(*)
FROM (SELECT CAST(d.event_type AS BINARY) AS lane FROM outbox_dlq_event d WHERE d.resolved_at IS NULL LIMIT ?1) s
GROUP BY s.lane
ORDER BY s.lane
