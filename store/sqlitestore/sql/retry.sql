-- ?1 [event id, seq, claim number, kind, attempts, delay, error, failures] of
-- each row, ?2 owner.
UPDATE outbox_event
SET status = 2, attempts = h.value ->> 4,
  available_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + (h.value ->> 5) / 1000,
  last_error = h.value ->> 6, failures = h.value ->> 7,
  locked_by = NULL, locked_until = NULL, claim_no = claim_no + 1, recovered = 0
FROM json_each(?1) h
WHERE seq = h.value ->> 1 AND event_id = h.value ->> 0 AND claim_no = h.value ->> 2
  AND locked_by IS CASE WHEN claim_no > 0 THEN ?2 END
  AND +status IN (0, 2)
RETURNING event_id, seq, claim_no - 1
