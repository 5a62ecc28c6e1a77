-- ?1 [event id] of each letter.
-- which: dlq_lock
DELETE d
FROM (
  SELECT DISTINCT t.event_id
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id
