-- ?1 age in microseconds, ?2 how many.
DELETE FROM outbox_dlq_event
WHERE resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY resolved_at
LIMIT ?2
