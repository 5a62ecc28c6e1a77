-- ?1 [event id, seq, claim number] of each row, ?2 owner, ?3 lease in
-- microseconds. STRAIGHT_JOIN and FORCE INDEX, here and elsewhere, find the
-- rows by key whatever the statistics say: a scan locks every row it reads.
-- which: held_lock
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', claim_no BIGINT PATH '$[2]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
SET e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND
WHERE e.event_id = h.event_id AND e.claim_no = h.claim_no
  AND e.locked_by <=> IF(h.claim_no > 0, ?2, NULL)
  AND e.status IN (0, 2)
