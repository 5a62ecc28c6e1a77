-- ?1 age, ?2 how many.
DELETE FROM outbox_dlq_event
WHERE (event_id, seq) IN (
  SELECT event_id, seq FROM outbox_dlq_event
  WHERE resolved_at IS NOT NULL AND resolved_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
  ORDER BY resolved_at LIMIT ?2)
