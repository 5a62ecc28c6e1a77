-- ?1 group, ?2 state, ?3 by whom, ?4 note, ?5 muted until or null.
UPDATE outbox_dlq_group
SET state = ?2, actor = ?3, note = ?4, marked_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER), muted_until = (?5 + 999) / 1000
WHERE group_id = ?1
