-- $1 alert, $2 lease in microseconds.
UPDATE outbox_alert
SET turn = turn + 1, notified_at = clock_timestamp(), notify_at = clock_timestamp() + $2::bigint * interval '1 microsecond'
WHERE alert_id = $1::text
