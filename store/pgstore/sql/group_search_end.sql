-- $1 and $2 between when the latest letter came or null, $3 and $4 the group to start
-- after or null, $5 how many groups to skip. Returns the one after them, if there is one.
SELECT g.last_at, g.group_id
FROM outbox_dlq_group g
WHERE ($1::timestamptz IS NULL OR g.last_at > $1::timestamptz)
  AND ($2::timestamptz IS NULL OR g.last_at < $2::timestamptz)
  AND ($3::timestamptz IS NULL OR (g.last_at, g.group_id) < ($3::timestamptz, $4::text))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT 1 OFFSET $5::int
