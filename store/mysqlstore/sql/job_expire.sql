-- ?1 job, ?2 error.
UPDATE outbox_job
SET turn = turn + 1, state = 'expired', error = ?2, changed_at = UTC_TIMESTAMP(6), ended_at = UTC_TIMESTAMP(6)
WHERE job_id = CONVERT(?1 USING ascii) AND state = 'waiting'
