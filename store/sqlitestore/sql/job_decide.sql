-- ?1 job, ?2 by whom, ?3 new state: running or cancelled.
UPDATE outbox_job
SET turn = turn + 1, decided_by = ?2, changed_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER), owner = NULL, held_until = NULL,
  ended_at = CASE WHEN ?3 = 'cancelled' THEN CAST(round(unixepoch('subsec') * 1000) AS INTEGER) END, state = ?3
WHERE job_id = ?1 AND (state = 'waiting' OR (state = 'running' AND ?3 = 'cancelled'))
