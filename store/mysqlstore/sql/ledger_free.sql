-- ?1 [group, event id] of each. Locks and returns those that no other session has
-- locked, as a redelivery does.
SELECT e.event_id
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  consumer_group VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]',
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[1]')) t) h
STRAIGHT_JOIN outbox_consumed_event e FORCE INDEX (PRIMARY) ON e.consumer_group = h.consumer_group AND e.event_id = h.event_id
FOR UPDATE SKIP LOCKED
