-- ?1 lane, ?2 destination, ?3 text in the reason, ?4 state, ?5 who set it, ?6 and ?7
-- between when the latest letter came, ?8 and ?9 the group to start after or null,
-- ?10 and ?11 the last one to look at or null, ?12 how many. The first seven are
-- empty or NULL for any.
-- include: group_columns
WHERE EXISTS (SELECT 1 FROM outbox_dlq_event d WHERE d.group_id = g.group_id AND d.resolved_at IS NULL)
  AND (?1 = '' OR g.event_type = ?1)
  AND (?2 = '' OR g.destination = ?2)
  AND (?3 = '' OR instr(g.reason, ?3) > 0)
  AND (?4 = '' OR iif(g.muted_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER), 'new', g.state) = ?4)
  AND (?5 = '' OR g.actor = ?5)
  AND (?6 IS NULL OR g.last_at > ?6 / 1000)
  AND (?7 IS NULL OR g.last_at < (?7 + 999) / 1000)
  AND (?8 IS NULL OR (g.last_at, g.group_id) < (?8 / 1000, ?9))
  AND (?10 IS NULL OR (g.last_at, g.group_id) >= (?10 / 1000, ?11))
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT ?12
