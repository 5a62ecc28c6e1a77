-- ?1 job, ?2 owner, ?3 lease in microseconds.
UPDATE outbox_job
SET turn = turn + 1, owner = ?2, held_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND, changed_at = UTC_TIMESTAMP(6)
WHERE job_id = CONVERT(?1 USING ascii)
