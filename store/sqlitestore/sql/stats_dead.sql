-- ?1 where to stop counting. Unresolved dead letters per lane.
SELECT event_type, count(*)
FROM (SELECT event_type FROM outbox_dlq_event WHERE resolved_at IS NULL LIMIT ?1)
GROUP BY event_type
ORDER BY event_type
