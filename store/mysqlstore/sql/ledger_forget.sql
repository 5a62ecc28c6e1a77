-- ?1 [group, event id] of each. Found by a query of its own: within a DELETE it would
-- lock the row after the last, which may be of a transaction that stays open.
DELETE e
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  consumer_group VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]',
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[1]')) h
STRAIGHT_JOIN outbox_consumed_event e FORCE INDEX (PRIMARY) ON e.consumer_group = h.consumer_group AND e.event_id = h.event_id
