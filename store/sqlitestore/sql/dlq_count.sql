-- ?1 to ?9 as in dlq_where.sql, ?10 and ?11 the last letter to look at or null, ?12
-- where to stop counting.
SELECT count(*) FROM (
  SELECT 1 FROM outbox_dlq_event
-- include: dlq_where
    AND (?10 IS NULL OR (died_at, event_id) >= (?10 / 1000, ?11))
  LIMIT ?12)
