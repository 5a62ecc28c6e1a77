-- Parameters as in dlq_replay.sql. Letters whose id is in the outbox stay, and
-- get the status CONFLICT.
UPDATE outbox_dlq_event d
SET status = 'CONFLICT'
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) k(event_id, seq, open)
WHERE d.event_id = k.event_id AND d.seq = k.seq AND d.status = 'TO_RETRY'
