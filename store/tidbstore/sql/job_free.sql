-- ?1 [job] of each. Locks and returns them, or fails if it would have to wait.
SELECT j.job_id
FROM outbox_job j FORCE INDEX (PRIMARY)
WHERE j.job_id IN (?1[0])
FOR UPDATE NOWAIT
