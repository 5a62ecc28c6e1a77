-- ?1 [group] of each, ?2 age in microseconds. A group that just got a
-- letter stays.
DELETE g
FROM JSON_TABLE(?1, '$[*]' COLUMNS (group_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_dlq_group g FORCE INDEX (PRIMARY) ON g.group_id = h.group_id
WHERE g.last_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
  AND (g.muted_until IS NULL OR g.muted_until <= UTC_TIMESTAMP(6))
