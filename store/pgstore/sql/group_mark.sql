-- $1 group, $2 state, $3 by whom, $4 note, $5 muted until or null.
UPDATE outbox_dlq_group
SET state = $2::text, actor = $3::text, note = $4::text, marked_at = clock_timestamp(), muted_until = $5::timestamptz
WHERE group_id = $1::text
