-- ?1 [event id] of each. Locks and returns those that were delivered.
-- It skips events that another session has locked to replay, erase or sweep them:
-- waiting could lock an event after its replay, when a relay needs to settle it.
SELECT e.event_id, e.headers
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
WHERE e.status = 1
FOR UPDATE SKIP LOCKED
