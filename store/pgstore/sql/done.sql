-- Parameters as in fence.sql.
UPDATE outbox_event e
SET status = 1, done_at = clock_timestamp(), locked_by = NULL, locked_until = NULL, recovered = 0
WHERE e.event_id = ANY ($1::text[])
-- include: fence
RETURNING e.event_id, e.seq, e.claim_no
