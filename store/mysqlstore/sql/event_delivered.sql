-- ?1 [event id] of each. Locks and returns those that were delivered.
-- One that somebody else has locked is being replayed, erased or swept: to wait for
-- it would lock it when it waits for a relay, which could not settle it then.
SELECT e.event_id, e.headers
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
WHERE e.status = 1
FOR UPDATE SKIP LOCKED
