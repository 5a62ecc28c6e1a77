-- ?1 age in microseconds, ?2 how many.
SELECT d.event_id, d.seq
FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_resolved)
WHERE d.resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY d.resolved_at
LIMIT ?2
