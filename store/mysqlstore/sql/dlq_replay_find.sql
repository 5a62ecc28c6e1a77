-- ?1 [event id] of each letter. Locks those that exist, of two letters of one id
-- the later one, and says whether they can go back: not while an event of that id
-- is in the outbox.
SELECT d.event_id, NOT EXISTS (SELECT 1 FROM outbox_event e WHERE e.event_id = d.event_id)
FROM (
  SELECT l.event_id, MAX(l.seq) AS seq
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t
  STRAIGHT_JOIN outbox_dlq_event l FORCE INDEX (PRIMARY) ON l.event_id = t.event_id
  GROUP BY l.event_id) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
FOR UPDATE
