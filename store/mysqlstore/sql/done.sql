-- ?1 [event id, seq, claim number] of each row, ?2 owner.
--
-- available_at becomes the time of delivery, and so the row's place in the
-- pending index, where the change of the lane moves it anyway. The sweep finds
-- it there, and done_at needs no index.
-- which: held_lock
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', claim_no BIGINT PATH '$[2]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
SET e.status = 1, e.done_at = UTC_TIMESTAMP(6), e.available_at = UTC_TIMESTAMP(6),
  e.locked_by = NULL, e.locked_until = NULL, e.recovered = 0
WHERE e.event_id = h.event_id AND e.claim_no = h.claim_no
  AND e.locked_by <=> IF(h.claim_no > 0, ?2, NULL)
  AND e.status IN (0, 2)
