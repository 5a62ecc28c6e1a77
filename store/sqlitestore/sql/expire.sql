-- ?1 age, ?2 how many. Seqs follow the order of writing, so the oldest rows are
-- found at the start.
DELETE FROM outbox_event
WHERE seq IN (
  SELECT seq FROM outbox_event
  WHERE created_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
  ORDER BY seq LIMIT ?2)
