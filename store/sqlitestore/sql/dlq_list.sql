-- ?1 to ?9 as in dlq_where.sql, ?10 and ?11 the letter to start after or null,
-- ?12 how many.
-- include: dlq_columns
-- include: dlq_where
  AND (?10 IS NULL OR (died_at, event_id) < (?10 / 1000, ?11))
ORDER BY died_at DESC, event_id DESC
LIMIT ?12
