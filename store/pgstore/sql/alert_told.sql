-- $1 alert, $2 turn, $3 when to tell again, in microseconds.
UPDATE outbox_alert
SET notices = notices + 1,
  notify_at = CASE WHEN resolved_at IS NULL THEN clock_timestamp() + $3::bigint * interval '1 microsecond' END
WHERE alert_id = $1::text AND turn = $2::bigint
