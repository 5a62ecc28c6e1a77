-- A group of dead letters, as it is read. One that was muted until now is new again.
-- Times are in microseconds.
SELECT g.group_id, g.event_type, g.destination, g.reason,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.first_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.last_at),
  IF(g.muted_until <= UTC_TIMESTAMP(6), 'new', g.state), g.actor, g.note,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.marked_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.muted_until)
FROM outbox_dlq_group g
