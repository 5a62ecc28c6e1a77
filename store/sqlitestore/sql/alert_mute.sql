-- ?1 alert, ?2 muted until or null, ?3 by whom, ?4 note.
UPDATE outbox_alert
SET muted_until = (?2 + 999) / 1000, actor = ?3, note = ?4, marked_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE alert_id = ?1
