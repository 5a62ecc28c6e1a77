-- ?1 [event id] of each row. That a row stands outside of any savepoint cannot
-- be proven here.
SELECT e.event_id, e.seq, 0
FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
