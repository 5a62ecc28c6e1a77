-- $1 to $11 as in dlq_list.sql, $12 how many letters to skip. Returns the one after
-- them, if there is one.
SELECT d.died_at, d.event_id
FROM outbox_dlq_event d
-- include: dlq_where
  AND ($10::timestamptz IS NULL OR (d.died_at, d.event_id) < ($10::timestamptz, $11::text))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT 1 OFFSET $12::int
