-- $1 event ids. Delivered events wait again. The higher claim
-- number fences off outcomes of earlier claims.
UPDATE outbox_event
SET status = 0, attempts = 0, available_at = clock_timestamp(), done_at = NULL, last_error = NULL,
  failures = '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]',
  locked_by = NULL, locked_until = NULL, recovered = 0, claim_no = claim_no + 1
WHERE event_id = ANY ($1::text[]) AND status = 1
