-- ?1 [group, lane, destination, reason] of each, in the order of the groups: two
-- instances lock them in one order.
INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason, first_at, last_at)
SELECT k.group_id, k.event_type, k.destination, k.reason, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  group_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]',
  event_type VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[1]',
  destination VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[2]',
  reason TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[3]')) k
ON DUPLICATE KEY UPDATE last_at = UTC_TIMESTAMP(6), reason = VALUES(reason)
