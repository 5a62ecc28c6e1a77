-- ?1 alert, ?2 muted until or null, ?3 by whom, ?4 note.
UPDATE outbox_alert
SET muted_until = ?2, actor = ?3, note = ?4, marked_at = UTC_TIMESTAMP(6)
WHERE alert_id = CONVERT(?1 USING ascii)
