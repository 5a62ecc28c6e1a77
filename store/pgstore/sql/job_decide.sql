-- $1 job, $2 by whom, $3 new state: running or cancelled.
UPDATE outbox_job
SET turn = turn + 1, decided_by = $2::text, changed_at = clock_timestamp(), owner = NULL, held_until = NULL,
  ended_at = CASE WHEN $3::text = 'cancelled' THEN clock_timestamp() END, state = $3::text
WHERE job_id = $1::text AND (state = 'waiting' OR (state = 'running' AND $3::text = 'cancelled'))
