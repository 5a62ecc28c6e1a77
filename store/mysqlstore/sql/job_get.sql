-- ?1 job.
-- include: job_columns
WHERE j.job_id = CONVERT(?1 USING ascii)
