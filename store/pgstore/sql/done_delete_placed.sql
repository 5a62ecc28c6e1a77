-- Parameters as in done_delete.sql, and $5 the places that the claim returned.
-- The fence decides: a row that has moved is not found, whatever took its
-- place.
DELETE FROM outbox_event e
WHERE e.ctid = ANY ($5::tid[])
-- include: fence
RETURNING e.event_id, e.seq, e.claim_no
