-- ?1 age in microseconds, ?2 how many.
SELECT j.job_id
FROM outbox_job j
WHERE j.ended_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY j.ended_at
LIMIT ?2
