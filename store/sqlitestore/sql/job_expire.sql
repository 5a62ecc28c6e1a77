-- ?1 job, ?2 error.
UPDATE outbox_job
SET turn = turn + 1, state = 'expired', error = ?2, changed_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER), ended_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE job_id = ?1 AND state = 'waiting'
