-- ?1 [seq] of each row, ?2 owner, ?3 lease in microseconds.
--
-- recovered comes first: an assignment sees the changes of those to its left.
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (seq BIGINT PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
SET e.recovered = e.recovered + (e.locked_by IS NOT NULL),
  e.locked_by = ?2,
  e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND,
  e.claim_no = e.claim_no + 1
