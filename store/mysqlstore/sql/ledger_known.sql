-- ?1 [event id] of each, ?2 group.
SELECT e.event_id
FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_consumed_event e FORCE INDEX (PRIMARY) ON e.consumer_group = ?2 AND e.event_id = h.event_id
