-- ?1 group, ?2 where to stop counting. How many events it has recorded, and when
-- the last, in microseconds.
SELECT
  (SELECT count(*) FROM (SELECT 1 AS one FROM outbox_consumed_event WHERE consumer_group = CONVERT(?1 USING ascii) LIMIT ?2) c),
  (SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', consumed_at) FROM outbox_consumed_event WHERE consumer_group = CONVERT(?1 USING ascii) ORDER BY consumed_at DESC LIMIT 1)
