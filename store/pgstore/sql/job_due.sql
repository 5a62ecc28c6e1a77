-- $1 job, or an empty string for any that nobody holds, $2 who may take it again. Locks it.
-- include: job_columns
WHERE j.state = 'running'
  AND (j.held_until IS NULL OR j.held_until <= clock_timestamp() OR ($1::text <> '' AND j.owner = $2::text))
  AND ($1::text = '' OR j.job_id = $1::text)
ORDER BY j.job_id
LIMIT 1
FOR UPDATE SKIP LOCKED
