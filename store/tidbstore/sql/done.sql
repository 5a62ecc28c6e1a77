-- ?1 [event id, seq, claim number] of each row, ?2 owner. The sweep finds what is
-- done by available_at.
-- which: held_lock
UPDATE outbox_event e FORCE INDEX (PRIMARY)
SET e.status = 1, e.done_at = UTC_TIMESTAMP(6), e.available_at = UTC_TIMESTAMP(6),
  e.locked_by = NULL, e.locked_until = NULL, e.recovered = 0
-- include: held_where
