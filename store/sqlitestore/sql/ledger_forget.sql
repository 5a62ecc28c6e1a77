-- ?1 group, ?2 age, ?3 how many.
DELETE FROM outbox_consumed_event
WHERE consumer_group = ?1 AND event_id IN (
  SELECT event_id FROM outbox_consumed_event INDEXED BY outbox_consumed_event_age
  WHERE consumer_group = ?1 AND consumed_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?2 / 1000
  ORDER BY consumed_at LIMIT ?3)
