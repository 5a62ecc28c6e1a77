-- $1 job, $2 turn, $3 position or null, $4 applied, $5 conflicts, $6 gone, $7 lease in
-- microseconds, $8 state, $9 error or null.
UPDATE outbox_job
SET turn = turn + 1, reached = $3::text, applied = applied + $4::bigint, conflicts = conflicts + $5::bigint, gone = gone + $6::bigint,
  state = $8::text, error = $9::text, changed_at = clock_timestamp(),
  held_until = CASE WHEN $8::text = 'running' THEN clock_timestamp() + $7::bigint * interval '1 microsecond' END,
  owner = CASE WHEN $8::text = 'running' THEN owner END,
  ended_at = CASE WHEN $8::text <> 'running' THEN clock_timestamp() END
WHERE job_id = $1::text AND turn = $2::bigint AND state = 'running'
