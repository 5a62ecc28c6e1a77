-- ?1 [event id, seq] of each letter. Locks and returns those that no other session has
-- locked.
SELECT d.event_id, d.seq
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) t) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
FOR UPDATE SKIP LOCKED
