-- ?1 [event id, seq, group, destination] of each letter.
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]',
  group_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[2]',
  destination VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[3]')) k
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = k.event_id AND d.seq = k.seq
SET d.group_id = k.group_id, d.destination = k.destination
