-- $1 to $9 as in dlq_where.sql, $10 and $11 the letter to start after or null, $12
-- and $13 the last one to look at or null, $14 how many.
-- include: dlq_columns
-- include: dlq_where
  AND ($10::timestamptz IS NULL OR (d.died_at, d.event_id) < ($10::timestamptz, $11::text))
  AND ($12::timestamptz IS NULL OR (d.died_at, d.event_id) >= ($12::timestamptz, $13::text))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT $14::int
