-- $1 to $9 as in dlq_where.sql, $10 and $11 the letter to start after or null,
-- $12 how many.
-- include: dlq_columns
-- include: dlq_where
  AND ($10::timestamptz IS NULL OR (d.died_at, d.event_id) < ($10::timestamptz, $11::text))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT $12::int
