-- ?1 [event id] of each. Delivered events wait again. The next number of the claim
-- keeps outcomes from before away.
UPDATE (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
SET e.status = 0, e.attempts = 0, e.available_at = UTC_TIMESTAMP(6), e.done_at = NULL, e.last_error = NULL,
  e.failures = '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]',
  e.locked_by = NULL, e.locked_until = NULL, e.recovered = 0, e.claim_no = e.claim_no + 1
WHERE e.status = 1
