-- ?1 to ?8 as in dlq_where.sql, ?9 and ?10 the last letter to look at or null, ?11
-- where to stop counting.
SELECT count(*) FROM (
  SELECT 1 FROM outbox_dlq_event
-- include: dlq_where
    AND (?9 IS NULL OR (died_at, event_id) >= (?9 / 1000, ?10))
  LIMIT ?11)
