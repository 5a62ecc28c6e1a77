-- ?1 to ?11 as in dlq_list.sql, ?12 how many letters to skip. Returns the one after
-- them, if there is one.
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.died_at), d.event_id
FROM outbox_dlq_event d
-- include: dlq_where
  AND (?10 IS NULL OR (d.died_at <= ?10 AND (d.died_at < ?10 OR d.event_id < ?11)))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT 1 OFFSET ?12
