-- $1 event ids. Blanks delivered events.
UPDATE outbox_event
SET payload = CASE WHEN payload IS NOT NULL THEN 'null'::json END, payload_bytes = CASE WHEN payload_bytes IS NOT NULL THEN ''::bytea END,
  headers = '{"outbox_erased":"true"}', last_error = NULL, failures = NULL
WHERE event_id = ANY ($1::text[]) AND status = 1
