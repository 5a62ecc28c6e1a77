-- A job, as it is read. Times are in microseconds.
SELECT j.job_id, j.action, j.spec, j.actor, j.note, j.matches, j.matches_more, j.state, j.turn, j.owner, j.reached,
  j.applied, j.conflicts, j.gone, j.decided_by, j.error,
  j.held_until * 1000, j.created_at * 1000, j.changed_at * 1000, j.ended_at * 1000
FROM outbox_job j
