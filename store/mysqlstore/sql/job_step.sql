-- ?1 job, ?2 turn, ?3 position or null, ?4 applied, ?5 conflicts, ?6 gone, ?7 lease in
-- microseconds, ?8 state, ?9 error or null.
UPDATE outbox_job
SET turn = turn + 1, reached = ?3, applied = applied + ?4, conflicts = conflicts + ?5, gone = gone + ?6,
  state = ?8, error = ?9, changed_at = UTC_TIMESTAMP(6),
  held_until = CASE WHEN ?8 = 'running' THEN UTC_TIMESTAMP(6) + INTERVAL ?7 MICROSECOND END,
  owner = CASE WHEN ?8 = 'running' THEN owner END,
  ended_at = CASE WHEN ?8 <> 'running' THEN UTC_TIMESTAMP(6) END
WHERE job_id = CONVERT(?1 USING ascii) AND turn = ?2 AND state = 'running'
