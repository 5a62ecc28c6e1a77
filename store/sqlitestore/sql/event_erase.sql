-- ?1 [event id] of each. Blanks delivered events.
UPDATE outbox_event
SET payload = iif(payload IS NULL, NULL, 'null'), payload_bytes = iif(payload_bytes IS NULL, NULL, x''),
  headers = '{"outbox_erased":"true"}', last_error = NULL, failures = NULL
WHERE status = 1 AND event_id IN (SELECT value ->> 0 FROM json_each(?1))
