-- ?1 as in dlq_replay.sql.
DELETE d
FROM (
  SELECT l.event_id, MAX(l.seq) AS seq
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t
  STRAIGHT_JOIN outbox_dlq_event l FORCE INDEX (PRIMARY) ON l.event_id = t.event_id
  GROUP BY l.event_id) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
