-- ?1 event id, ?2 seq, ?3 claim number, ?4 owner, ?5 lease in microseconds,
-- ?6 attempts.
UPDATE outbox_event e
SET e.locked_until = UTC_TIMESTAMP(6) + INTERVAL ?5 MICROSECOND, e.attempts = ?6
WHERE e.seq = ?2 AND e.event_id = ?1 AND e.claim_no = ?3
  AND e.locked_by <=> IF(?3 > 0, ?4, NULL)
  AND e.status IN (0, 2)
