-- ?1 to ?9 as in dlq_where.sql, ?10 and ?11 the letter to start after or null, ?12
-- and ?13 the last one to look at or null, ?14 how many.
-- include: dlq_columns
-- include: dlq_where
  AND (?10 IS NULL OR (died_at, event_id) < (?10 / 1000, ?11))
  AND (?12 IS NULL OR (died_at, event_id) >= (?12 / 1000, ?13))
ORDER BY died_at DESC, event_id DESC
LIMIT ?14
