-- ?1 job, ?2 owner, ?3 lease in microseconds.
UPDATE outbox_job
SET turn = turn + 1, owner = ?2, held_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?3 / 1000, changed_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE job_id = ?1
