-- $1 group, $2 where to stop counting. How many events it has recorded, and
-- when it recorded the last one.
SELECT
  (SELECT count(*) FROM (SELECT 1 AS one FROM outbox_consumed_event WHERE consumer_group = $1::text LIMIT $2::int) c),
  (SELECT consumed_at FROM outbox_consumed_event WHERE consumer_group = $1::text ORDER BY consumed_at DESC LIMIT 1)
