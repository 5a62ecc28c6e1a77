-- ?1 event id, ?2 seq, ?3 claim number, ?4 owner, ?5 lease, ?6 attempts.
UPDATE outbox_event
SET locked_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?5 / 1000, attempts = ?6
WHERE seq = ?2 AND event_id = ?1 AND claim_no = ?3
  AND locked_by IS CASE WHEN claim_no > 0 THEN ?4 END
  AND +status IN (0, 2)
RETURNING event_id, seq, claim_no
