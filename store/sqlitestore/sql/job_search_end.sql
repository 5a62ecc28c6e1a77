-- ?1 the job to start before, or an empty string, ?2 how many jobs to skip. Returns
-- the one after them, if there is one.
SELECT j.job_id
FROM outbox_job j
WHERE ?1 = '' OR j.job_id < ?1
ORDER BY j.job_id DESC
LIMIT 1 OFFSET ?2
