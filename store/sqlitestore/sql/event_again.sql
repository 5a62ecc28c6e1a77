-- ?1 [event id] of each. Delivered events wait again. The next number of the claim
-- keeps outcomes from before away.
UPDATE outbox_event
SET status = 0, attempts = 0, available_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER), done_at = NULL, last_error = NULL,
  failures = '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]',
  locked_by = NULL, locked_until = NULL, recovered = 0, claim_no = claim_no + 1
WHERE status = 1 AND event_id IN (SELECT value ->> 0 FROM json_each(?1))
