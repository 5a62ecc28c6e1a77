-- A group of dead letters, as it is read. One that was muted until now is new again.
-- Times are in microseconds.
SELECT g.group_id, g.event_type, g.destination, g.reason, g.first_at * 1000, g.last_at * 1000,
  iif(g.muted_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER), 'new', g.state), g.actor, g.note,
  g.marked_at * 1000, g.muted_until * 1000
FROM outbox_dlq_group g
