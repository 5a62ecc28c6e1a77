-- Parameters as in dlq_delete.sql. Locks and returns those that exist.
SELECT d.event_id
FROM (
  SELECT DISTINCT t.event_id
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id
FOR UPDATE
