-- Parameters as in done.sql.
DELETE FROM outbox_event e
WHERE e.event_id = ANY ($1::text[])
-- include: fence
RETURNING e.event_id, e.seq, e.claim_no
