-- $1 to $9 as in dlq_where.sql, $10 where to stop counting.
SELECT count(*) FROM (
  SELECT FROM outbox_dlq_event d
-- include: dlq_where
  LIMIT $10::int) s
