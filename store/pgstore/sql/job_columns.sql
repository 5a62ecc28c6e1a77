-- A job, as it is read.
SELECT j.job_id, j.action, j.spec, j.actor, j.note, j.matches, j.matches_more, j.state, j.turn, j.owner, j.reached,
  j.applied, j.conflicts, j.gone, j.decided_by, j.error,
  j.held_until, j.created_at, j.changed_at, j.ended_at
FROM outbox_job j
