-- ?1 to ?9 as in dlq_where.sql, ?10 and ?11 the letter to start after or null,
-- ?12 and ?13 the last one to look at or null, ?14 how many.
-- include: dlq_columns
-- include: dlq_where
  AND (?10 IS NULL OR (d.died_at <= ?10 AND (d.died_at < ?10 OR d.event_id < ?11)))
  AND (?12 IS NULL OR (d.died_at >= ?12 AND (d.died_at > ?12 OR d.event_id >= ?13)))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT ?14
