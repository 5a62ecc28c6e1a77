-- ?1 [event id, seq, claim number] of each row, ?2 owner, ?3 lease.
UPDATE outbox_event
SET locked_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?3 / 1000
FROM json_each(?1) h
WHERE seq = h.value ->> 1 AND event_id = h.value ->> 0 AND claim_no = h.value ->> 2
  AND locked_by IS CASE WHEN claim_no > 0 THEN ?2 END
  AND +status IN (0, 2)
RETURNING event_id, seq, claim_no
