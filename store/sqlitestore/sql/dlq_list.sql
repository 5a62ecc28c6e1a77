-- ?1 to ?8 as in dlq_where.sql, ?9 and ?10 the letter to start after or null, ?11
-- and ?12 the last one to look at or null, ?13 how many.
-- include: dlq_columns
-- include: dlq_where
  AND (?9 IS NULL OR (died_at, event_id) < (?9 / 1000, ?10))
  AND (?11 IS NULL OR (died_at, event_id) >= (?11 / 1000, ?12))
ORDER BY died_at DESC, event_id DESC
LIMIT ?13
