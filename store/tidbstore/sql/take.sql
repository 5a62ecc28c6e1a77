-- ?1 [event id, seq, 1] of each row that take_which.sql returned, ?2 owner, ?3
-- lease in microseconds.
UPDATE outbox_event e FORCE INDEX (PRIMARY)
SET e.locked_by = ?2, e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND, e.claim_no = 1
WHERE e.seq IN (?1[1])
