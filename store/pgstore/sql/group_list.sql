-- $1 a group or '' for all with unresolved letters, $2 and $3 the group to start
-- after or null, $4 how many. One that was muted until now is new again.
SELECT g.group_id, g.event_type, g.destination, g.reason, g.first_at, g.last_at,
  CASE WHEN g.muted_until <= clock_timestamp() THEN 'new' ELSE g.state END, g.actor, g.note, g.marked_at, g.muted_until
FROM outbox_dlq_group g
WHERE CASE WHEN $1::text = ''
    THEN EXISTS (SELECT FROM outbox_dlq_event d WHERE d.group_id = g.group_id AND d.resolved_at IS NULL)
    ELSE g.group_id = $1::text END
  AND ($2::timestamptz IS NULL OR (g.last_at, g.group_id) < ($2::timestamptz, $3::text))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT $4::int
