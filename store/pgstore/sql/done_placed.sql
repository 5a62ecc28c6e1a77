-- Parameters as in done.sql, and $5 the places that the claim returned. The
-- fence decides: a row that has moved is not found, whatever took its place.
UPDATE outbox_event e
SET status = 1, done_at = clock_timestamp(), locked_by = NULL, locked_until = NULL, recovered = 0
WHERE e.ctid = ANY ($5::tid[])
-- include: fence
RETURNING e.event_id, e.seq, e.claim_no
