-- ?1 [event id] of each event. Returns those that are stored, even as dead
-- letters.
--
-- It locks nothing: under REPEATABLE READ, which is the caller's, a locking
-- read of an id that does not exist blocks inserts next to it until the caller
-- commits.
SELECT e.event_id
FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
UNION ALL
SELECT d.event_id
FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id
