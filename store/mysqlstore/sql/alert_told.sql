-- ?1 alert, ?2 turn, ?3 when to tell again, in microseconds.
UPDATE outbox_alert
SET notices = notices + 1, notify_at = IF(resolved_at IS NULL, UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND, NULL)
WHERE alert_id = CONVERT(?1 USING ascii) AND turn = ?2
