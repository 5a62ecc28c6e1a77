-- ?1 age in microseconds, ?2 how many.
DELETE FROM outbox_job
WHERE ended_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY ended_at LIMIT ?2
