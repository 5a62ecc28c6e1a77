-- $1 where to stop counting. Unresolved dead letters per lane.
SELECT s.event_type, count(*)
FROM (SELECT d.event_type FROM outbox_dlq_event d WHERE d.resolved_at IS NULL LIMIT $1::int) s
GROUP BY s.event_type
ORDER BY s.event_type
