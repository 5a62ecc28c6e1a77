-- $1 job, $2 error.
UPDATE outbox_job
SET turn = turn + 1, state = 'expired', error = $2::text, changed_at = clock_timestamp(), ended_at = clock_timestamp()
WHERE job_id = $1::text AND state = 'waiting'
