-- ?1 [event id, seq] of each letter, ?2 age in microseconds.
DELETE d
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
WHERE d.resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
