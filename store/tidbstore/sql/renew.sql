-- ?1 [event id, seq, claim number] of each row, ?2 owner, ?3 lease in
-- microseconds.
-- which: held_lock
UPDATE outbox_event e FORCE INDEX (PRIMARY)
SET e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?3 MICROSECOND
-- include: held_where
