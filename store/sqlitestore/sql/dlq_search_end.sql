-- ?1 lane, ?2 group, ?3 tenant, ?4 aggregate id, of which at most one is not empty;
-- ?5 died before, ?6 died after, ?7 and ?8 the letter to start after or null, ?9
-- how many to skip. Returns the one after them, if there is one. For resolved
-- letters, all are looked at.
SELECT died_at * 1000, event_id
FROM outbox_dlq_event
WHERE resolved_at IS NULL
  AND (?1 = '' OR event_type = ?1)
  AND (?2 = '' OR group_id = ?2)
  AND (?3 = '' OR tenant_id = ?3)
  AND (?4 = '' OR aggregate_id = ?4)
  AND (?5 IS NULL OR died_at < (?5 + 999) / 1000)
  AND (?6 IS NULL OR died_at > ?6 / 1000)
  AND (?7 IS NULL OR (died_at, event_id) < (?7 / 1000, ?8))
ORDER BY died_at DESC, event_id DESC
LIMIT 1 OFFSET ?9
