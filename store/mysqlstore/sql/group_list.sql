-- ?1 lane, ?2 destination, ?3 text in the reason, ?4 state, ?5 who set it, ?6 and ?7
-- between when the latest letter came, ?8 and ?9 the group to start after or null,
-- ?10 and ?11 the last one to look at or null, ?12 how many. The first seven are
-- empty or NULL for any. Comparing bytes does not ignore spaces at the end. EXISTS would
-- become a join with all letters.
-- include: group_columns
WHERE (CHAR_LENGTH(?1) = 0 OR CONVERT(g.event_type USING binary) = ?1)
  AND (CHAR_LENGTH(?2) = 0 OR CONVERT(g.destination USING binary) = ?2)
  AND (CHAR_LENGTH(?3) = 0 OR LOCATE(?3, g.reason) > 0)
  AND (CHAR_LENGTH(?4) = 0 OR CONVERT(IF(g.muted_until <= UTC_TIMESTAMP(6), 'new', g.state) USING binary) = ?4)
  AND (CHAR_LENGTH(?5) = 0 OR CONVERT(g.actor USING binary) = ?5)
  AND (?6 IS NULL OR g.last_at > ?6)
  AND (?7 IS NULL OR g.last_at < ?7)
  AND (?8 IS NULL OR (g.last_at <= ?8 AND (g.last_at < ?8 OR g.group_id < ?9)))
  AND (?10 IS NULL OR (g.last_at >= ?10 AND (g.last_at > ?10 OR g.group_id >= ?11)))
  AND (SELECT 1 FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group) WHERE d.group_id = g.group_id AND d.resolved_at IS NULL LIMIT 1) = 1
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT ?12
