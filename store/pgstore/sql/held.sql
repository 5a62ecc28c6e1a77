-- Parameters as in fence.sql. Returns the claims that are held, whoever has
-- locked their rows.
SELECT e.event_id, e.seq, e.claim_no
FROM outbox_event e
WHERE e.event_id = ANY ($1::text[])
-- include: fence
