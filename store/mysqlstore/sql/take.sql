-- ?1 [event id, seq] of each row, ?2 owner, ?3 lease in microseconds.
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
SET e.locked_by = ?2, e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND, e.claim_no = 1
WHERE e.event_id = h.event_id
  AND e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
