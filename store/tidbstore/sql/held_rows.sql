-- The claims that are held: parameters as in held.sql.
SELECT e.event_id, e.seq, e.claim_no
FROM outbox_event e FORCE INDEX (PRIMARY)
-- include: held_where
