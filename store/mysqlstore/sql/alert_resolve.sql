-- ?1 for how long nobody has seen it, in microseconds. People hear of it if
-- somebody began to tell them that it was raised.
UPDATE outbox_alert
SET notify_at = IF(notified_at IS NOT NULL, UTC_TIMESTAMP(6), NULL), resolved_at = UTC_TIMESTAMP(6), turn = turn + 1
WHERE resolved_at IS NULL AND seen_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
