-- A group of dead letters, as it is read. One that was muted until now is new again.
SELECT g.group_id, g.event_type, g.destination, g.reason, g.first_at, g.last_at,
  CASE WHEN g.muted_until <= clock_timestamp() THEN 'new' ELSE g.state END, g.actor, g.note, g.marked_at, g.muted_until
FROM outbox_dlq_group g
