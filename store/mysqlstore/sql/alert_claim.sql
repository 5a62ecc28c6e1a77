-- ?1 alert, ?2 lease in microseconds.
UPDATE outbox_alert
SET turn = turn + 1, notified_at = UTC_TIMESTAMP(6), notify_at = UTC_TIMESTAMP(6) + INTERVAL ?2 MICROSECOND
WHERE alert_id = CONVERT(?1 USING ascii)
