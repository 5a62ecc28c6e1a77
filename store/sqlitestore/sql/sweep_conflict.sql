-- ?1 [event id, seq, 0] of each letter. Those whose id is in the outbox stay, and
-- get the status CONFLICT.
UPDATE outbox_dlq_event
SET status = 'CONFLICT'
WHERE status = 'TO_RETRY' AND (event_id, seq) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
