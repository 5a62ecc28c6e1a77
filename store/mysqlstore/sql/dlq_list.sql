-- ?1 to ?8 as in dlq_where.sql, ?9 and ?10 the letter to start after or null, ?11
-- and ?12 the last one to look at or null, ?13 how many.
-- include: dlq_columns
-- include: dlq_where
  AND (?9 IS NULL OR (d.died_at <= ?9 AND (d.died_at < ?9 OR d.event_id < ?10)))
  AND (?11 IS NULL OR (d.died_at >= ?11 AND (d.died_at > ?11 OR d.event_id >= ?12)))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT ?13
