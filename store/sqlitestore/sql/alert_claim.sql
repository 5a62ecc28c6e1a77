-- ?1 alert, ?2 lease in microseconds.
UPDATE outbox_alert
SET turn = turn + 1, notified_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
  notify_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?2 / 1000
WHERE alert_id = ?1
