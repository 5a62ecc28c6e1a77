-- $1 to $9 as in dlq_where.sql, $10 and $11 the last letter to look at or null, $12
-- where to stop counting.
SELECT count(*) FROM (
  SELECT FROM outbox_dlq_event d
-- include: dlq_where
    AND ($10::timestamptz IS NULL OR (d.died_at, d.event_id) >= ($10::timestamptz, $11::text))
  LIMIT $12::int) s
