-- ?1 [event id, seq, claim number] of each row, ?2 owner. The plus sign, here
-- and in the other statements that know their rows, keeps SQLite from reading
-- all pending rows through their index.
UPDATE outbox_event
SET status = 1, done_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
  locked_by = NULL, locked_until = NULL, recovered = 0
FROM json_each(?1) h
WHERE seq = h.value ->> 1 AND event_id = h.value ->> 0 AND claim_no = h.value ->> 2
  AND locked_by IS CASE WHEN claim_no > 0 THEN ?2 END
  AND +status IN (0, 2)
RETURNING event_id, seq, claim_no
