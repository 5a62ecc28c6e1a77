-- ?1 group, ?2 age in microseconds, ?3 how many.
SELECT e.event_id
FROM outbox_consumed_event e FORCE INDEX (outbox_consumed_event_age)
WHERE e.consumer_group = ?1 AND e.consumed_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
ORDER BY e.consumed_at
LIMIT ?3
