-- ?1 [event id] of each row. MySQL cannot prove that a row is outside of any
-- savepoint.
SELECT e.event_id, e.seq, 0
FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
