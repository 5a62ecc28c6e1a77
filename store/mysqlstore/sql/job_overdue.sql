-- ?1 age in microseconds, ?2 how many. Jobs that have waited for consent for longer. Locks them.
-- include: job_columns
WHERE j.state = 'waiting' AND j.created_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY j.job_id
LIMIT ?2
FOR UPDATE SKIP LOCKED
