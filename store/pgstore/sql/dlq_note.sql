-- Parameters as in dlq_replay.sql, $4 note or null, $5 by whom.
UPDATE outbox_dlq_event d
SET note = $4::text, noted_by = $5::text, noted_at = clock_timestamp()
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) k(event_id, seq, open)
WHERE d.event_id = k.event_id AND (k.seq = 0 OR d.seq = k.seq) AND (k.open = 0 OR d.resolved_at IS NULL)
RETURNING d.event_id, d.seq
