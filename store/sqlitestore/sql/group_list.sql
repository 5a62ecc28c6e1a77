-- ?1 a group or '' for all with unresolved letters, ?2 and ?3 the group to start
-- after or null, ?4 how many. One that was muted until now is new again. Times
-- are in microseconds.
SELECT g.group_id, g.event_type, g.destination, g.reason, g.first_at * 1000, g.last_at * 1000,
  iif(g.muted_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER), 'new', g.state), g.actor, g.note,
  g.marked_at * 1000, g.muted_until * 1000
FROM outbox_dlq_group g
WHERE iif(?1 = '',
    EXISTS (SELECT 1 FROM outbox_dlq_event d WHERE d.group_id = g.group_id AND d.resolved_at IS NULL),
    g.group_id = ?1)
  AND (?2 IS NULL OR (g.last_at, g.group_id) < (?2 / 1000, ?3))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT ?4
