-- ?1 job, ?2 turn, ?3 position or null, ?4 applied, ?5 conflicts, ?6 gone, ?7 lease in
-- microseconds, ?8 state, ?9 error or null.
UPDATE outbox_job
SET turn = turn + 1, reached = ?3, applied = applied + ?4, conflicts = conflicts + ?5, gone = gone + ?6,
  state = ?8, error = ?9, changed_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
  held_until = CASE WHEN ?8 = 'running' THEN CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?7 / 1000 END,
  owner = CASE WHEN ?8 = 'running' THEN owner END,
  ended_at = CASE WHEN ?8 <> 'running' THEN CAST(round(unixepoch('subsec') * 1000) AS INTEGER) END
WHERE job_id = ?1 AND turn = ?2 AND state = 'running'
