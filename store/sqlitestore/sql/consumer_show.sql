-- ?1 group, ?2 where to stop counting. How many events it has recorded, and when
-- the last, in microseconds.
SELECT
  (SELECT count(*) FROM (SELECT 1 AS one FROM outbox_consumed_event WHERE consumer_group = ?1 LIMIT ?2) c),
  (SELECT consumed_at * 1000 FROM outbox_consumed_event WHERE consumer_group = ?1 ORDER BY consumed_at DESC LIMIT 1)
