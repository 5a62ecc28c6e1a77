-- ?1 job, or an empty string for any that nobody holds, ?2 who may take it again. Locks it.
-- include: job_columns
WHERE j.state = 'running'
  AND (j.held_until IS NULL OR j.held_until <= UTC_TIMESTAMP(6) OR (?1 <> '' AND j.owner = ?2))
  AND (?1 = '' OR j.job_id = CONVERT(?1 USING ascii))
ORDER BY j.job_id
LIMIT 1
FOR UPDATE SKIP LOCKED
