-- $1 age in microseconds, $2 how many. Jobs that have waited for consent for longer. Locks them.
-- include: job_columns
WHERE j.state = 'waiting' AND j.created_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
ORDER BY j.job_id
LIMIT $2::int
FOR UPDATE SKIP LOCKED
