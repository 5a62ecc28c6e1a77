-- ?1 job, ?2 by whom, ?3 new state: running or cancelled.
UPDATE outbox_job
SET turn = turn + 1, decided_by = ?2, changed_at = UTC_TIMESTAMP(6), owner = NULL, held_until = NULL,
  ended_at = CASE WHEN ?3 = 'cancelled' THEN UTC_TIMESTAMP(6) END, state = ?3
WHERE job_id = CONVERT(?1 USING ascii) AND (state = 'waiting' OR (state = 'running' AND ?3 = 'cancelled'))
