-- ?1 state, ?2 action, ?3 the job to start before, or an empty string, ?4 the last one to
-- look at, ?5 how many. The first two are empty for any.
-- include: job_columns
WHERE (?3 = '' OR j.job_id < CONVERT(?3 USING ascii)) AND j.job_id >= CONVERT(?4 USING ascii)
  AND (?1 = '' OR j.state = ?1)
  AND (?2 = '' OR j.action = ?2)
ORDER BY j.job_id DESC
LIMIT ?5
