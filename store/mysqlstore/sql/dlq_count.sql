-- ?1 to ?9 as in dlq_where.sql, ?10 where to stop counting.
SELECT COUNT(*) FROM (
  SELECT 1 FROM outbox_dlq_event d
-- include: dlq_where
  LIMIT ?10) s
