-- $1 job.
-- include: job_columns
WHERE j.job_id = $1::text
