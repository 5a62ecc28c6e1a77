-- ?1 alert, ?2 turn, ?3 when to tell again, in microseconds.
UPDATE outbox_alert
SET notices = notices + 1,
  notify_at = iif(resolved_at IS NULL, CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?3 / 1000, NULL)
WHERE alert_id = ?1 AND turn = ?2
