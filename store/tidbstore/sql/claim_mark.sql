-- ?1 [seq] of each row that claim_read.sql returned, ?2 owner, ?3 lease in
-- microseconds.
UPDATE outbox_event e FORCE INDEX (PRIMARY)
SET e.recovered = e.recovered + (e.locked_by IS NOT NULL),
  e.locked_by = ?2,
  e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND,
  e.claim_no = e.claim_no + 1
WHERE e.seq IN (?1[0])
