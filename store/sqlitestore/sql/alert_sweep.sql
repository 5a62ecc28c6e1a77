-- ?1 age, ?2 how many.
DELETE FROM outbox_alert
WHERE alert_id IN (
  SELECT alert_id FROM outbox_alert
  WHERE resolved_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
    AND (muted_until IS NULL OR muted_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
  ORDER BY resolved_at LIMIT ?2)
