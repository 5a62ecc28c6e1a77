-- $1 alert, $2 muted until or null, $3 by whom, $4 note.
UPDATE outbox_alert
SET muted_until = $2::timestamptz, actor = $3::text, note = $4::text, marked_at = clock_timestamp()
WHERE alert_id = $1::text
