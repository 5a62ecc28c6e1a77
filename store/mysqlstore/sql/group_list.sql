-- ?1 a group or '' for all with unresolved letters, ?2 and ?3 the group to start
-- after or null, ?4 how many. One that was muted until now is new again. Times
-- are in microseconds.
SELECT g.group_id, g.event_type, g.destination, g.reason,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.first_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.last_at),
  IF(g.muted_until <= UTC_TIMESTAMP(6), 'new', g.state), g.actor, g.note,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.marked_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', g.muted_until)
FROM outbox_dlq_group g
WHERE IF(CHAR_LENGTH(?1) = 0,
    EXISTS (SELECT 1 FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group) WHERE d.group_id = g.group_id AND d.resolved_at IS NULL),
    g.group_id = CONVERT(?1 USING ascii))
  AND (?2 IS NULL OR (g.last_at <= ?2 AND (g.last_at < ?2 OR g.group_id < ?3)))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT ?4
