-- Parameters as in retry.sql.
UPDATE outbox_event
SET attempts = h.value ->> 4,
  available_at = CASE WHEN h.value ->> 5 > 0
    THEN CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + (h.value ->> 5) / 1000 ELSE available_at END,
  failures = coalesce(h.value ->> 7, failures),
  locked_by = NULL, locked_until = NULL, claim_no = claim_no + 1, recovered = 0
FROM json_each(?1) h
WHERE seq = h.value ->> 1 AND event_id = h.value ->> 0 AND claim_no = h.value ->> 2
  AND locked_by IS CASE WHEN claim_no > 0 THEN ?2 END
  AND +status IN (0, 2)
RETURNING event_id, seq, claim_no - 1
