-- ?1 age in microseconds, ?2 how many.
DELETE FROM outbox_job
WHERE job_id IN (
  SELECT job_id FROM outbox_job
  WHERE ended_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
  ORDER BY ended_at LIMIT ?2)
