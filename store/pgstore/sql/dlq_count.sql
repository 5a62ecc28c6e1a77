-- $1 to $8 as in dlq_where.sql, $9 and $10 the last letter to look at or null, $11
-- where to stop counting.
SELECT count(*) FROM (
  SELECT FROM outbox_dlq_event d
-- include: dlq_where
    AND ($9::timestamptz IS NULL OR (d.died_at, d.event_id) >= ($9::timestamptz, $10::text))
  LIMIT $11::int) s
