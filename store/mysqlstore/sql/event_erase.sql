-- ?1 [event id] of each. Blanks delivered events.
UPDATE (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = h.event_id
SET e.payload = IF(e.payload IS NULL, NULL, 'null'), e.payload_bytes = IF(e.payload_bytes IS NULL, NULL, ''),
  e.headers = '{"outbox_erased":"true"}', e.last_error = NULL, e.failures = NULL
WHERE e.status = 1
