-- ?1 before when the latest letter came or null, ?2 and ?3 the group to start after
-- or null, ?4 how many groups to skip. Returns the one after them, if there is one.
SELECT g.last_at * 1000, g.group_id
FROM outbox_dlq_group g
WHERE (?1 IS NULL OR g.last_at < (?1 + 999) / 1000)
  AND (?2 IS NULL OR (g.last_at, g.group_id) < (?2 / 1000, ?3))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT 1 OFFSET ?4
