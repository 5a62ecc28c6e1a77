-- $1 to $8 as in dlq_where.sql, $9 and $10 the letter to start after or null, $11
-- and $12 the last one to look at or null, $13 how many.
-- include: dlq_columns
-- include: dlq_where
  AND ($9::timestamptz IS NULL OR (d.died_at, d.event_id) < ($9::timestamptz, $10::text))
  AND ($11::timestamptz IS NULL OR (d.died_at, d.event_id) >= ($11::timestamptz, $12::text))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT $13::int
