-- ?1 [event id, seq] of each row, ?2 owner, ?3 lease.
UPDATE outbox_event
SET locked_by = ?2, locked_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?3 / 1000, claim_no = 1
FROM json_each(?1) h
WHERE seq = h.value ->> 1 AND event_id = h.value ->> 0
  AND +status IN (0, 2) AND locked_by IS NULL AND claim_no = 0
RETURNING event_id, seq, claim_no
