-- A job, as it is read. Times are in microseconds.
SELECT j.job_id, j.action, j.spec, j.actor, j.note, j.matches, j.matches_more, j.state, j.turn, j.owner, j.reached,
  j.applied, j.conflicts, j.gone, j.decided_by, j.error,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', j.held_until), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', j.created_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', j.changed_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', j.ended_at)
FROM outbox_job j
