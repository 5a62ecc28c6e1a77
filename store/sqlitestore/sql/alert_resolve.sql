-- ?1 for how long nobody has seen it, in microseconds. People hear of it if
-- somebody began to tell them that it was raised.
UPDATE outbox_alert
SET resolved_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER), turn = turn + 1,
  notify_at = iif(notified_at IS NOT NULL, CAST(round(unixepoch('subsec') * 1000) AS INTEGER), NULL)
WHERE resolved_at IS NULL AND seen_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
