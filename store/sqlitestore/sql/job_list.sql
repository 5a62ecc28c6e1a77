-- ?1 the job to start before, or an empty string, ?2 how many.
-- include: job_columns
WHERE ?1 = '' OR j.job_id < ?1
ORDER BY j.job_id DESC
LIMIT ?2
