-- ?1 to ?9 as in dlq_where.sql, ?10 where to stop counting.
SELECT count(*) FROM (
  SELECT 1 FROM outbox_dlq_event
-- include: dlq_where
  LIMIT ?10)
