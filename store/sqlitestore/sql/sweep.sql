-- ?1 age, ?2 how many.
DELETE FROM outbox_event
WHERE seq IN (
  SELECT seq FROM outbox_event
  WHERE status = 1 AND done_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
  ORDER BY done_at LIMIT ?2)
