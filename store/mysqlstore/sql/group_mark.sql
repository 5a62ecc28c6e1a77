-- ?1 group, ?2 state, ?3 by whom, ?4 note, ?5 muted until or null.
UPDATE outbox_dlq_group
SET state = ?2, actor = ?3, note = ?4, marked_at = UTC_TIMESTAMP(6), muted_until = ?5
WHERE group_id = CONVERT(?1 USING ascii)
