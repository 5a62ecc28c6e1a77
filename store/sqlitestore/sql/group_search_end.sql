-- ?1 and ?2 between when the latest letter came or null, ?3 and ?4 the group to start
-- after or null, ?5 how many groups to skip. Returns the one after them, if there is one.
SELECT g.last_at * 1000, g.group_id
FROM outbox_dlq_group g
WHERE (?1 IS NULL OR g.last_at > ?1 / 1000)
  AND (?2 IS NULL OR g.last_at < (?2 + 999) / 1000)
  AND (?3 IS NULL OR (g.last_at, g.group_id) < (?3 / 1000, ?4))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT 1 OFFSET ?5
