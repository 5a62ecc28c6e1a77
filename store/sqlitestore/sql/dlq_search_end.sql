-- ?1 to ?11 as in dlq_list.sql, ?12 how many letters to skip. Returns the one after
-- them, if there is one.
SELECT died_at * 1000, event_id
FROM outbox_dlq_event
-- include: dlq_where
  AND (?10 IS NULL OR (died_at, event_id) < (?10 / 1000, ?11))
ORDER BY died_at DESC, event_id DESC
LIMIT 1 OFFSET ?12
