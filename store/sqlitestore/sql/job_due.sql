-- ?1 job, or an empty string for any that nobody holds, ?2 who may take it again.
-- include: job_columns
WHERE j.state = 'running'
  AND (j.held_until IS NULL OR j.held_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) OR (?1 <> '' AND j.owner = ?2))
  AND (?1 = '' OR j.job_id = ?1)
ORDER BY j.job_id
LIMIT 1
