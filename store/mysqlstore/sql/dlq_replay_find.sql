-- ?1 [event id, seq or 0, 1 if it must be open] of each letter. Locks those that
-- exist, of several letters of one id the latest, and says whether they can go
-- back: not while an event of that id is in the outbox. One that was erased says
-- nothing any more, and is none of them.
SELECT d.event_id, d.seq, NOT EXISTS (SELECT 1 FROM outbox_event e WHERE e.event_id = d.event_id)
FROM (
  SELECT l.event_id, MAX(l.seq) AS seq, MIN(t.open) AS open
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (
    event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', open INT PATH '$[2]')) t
  STRAIGHT_JOIN outbox_dlq_event l FORCE INDEX (PRIMARY) ON l.event_id = t.event_id AND (t.seq = 0 OR l.seq = t.seq)
  WHERE (t.open = 0 OR l.resolved_at IS NULL) AND NOT (l.headers <=> '{"outbox_erased":"true"}')
  GROUP BY l.event_id) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
WHERE (h.open = 0 OR d.resolved_at IS NULL) AND NOT (d.headers <=> '{"outbox_erased":"true"}')
FOR UPDATE
