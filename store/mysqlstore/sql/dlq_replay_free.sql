-- ?1 [event id, ...] of each letter. Fails if another session is writing an event of
-- one of the ids or has locked it; otherwise it locks and returns those that are there.
SELECT e.event_id
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
FOR UPDATE NOWAIT
