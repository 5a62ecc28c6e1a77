-- ?1 [event id, seq] of each row.
SELECT e.event_id, e.seq
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.event_id = h.event_id
  AND e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
