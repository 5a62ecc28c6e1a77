-- ?1 [event id, seq or 0, 1 if it must be open] of each letter. Locks those that
-- exist, and says whether they can go back: not while an event of that id is in the
-- outbox. One that was erased says nothing any more, and is none of them. Of several
-- letters of one id the caller takes the latest: to find it here, each row would be
-- read twice.
SELECT d.event_id, d.seq, NOT EXISTS (SELECT 1 FROM outbox_event e WHERE e.event_id = d.event_id)
FROM (
  SELECT *
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (
    event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', open INT PATH '$[2]')) t) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND (h.seq = 0 OR d.seq = h.seq)
WHERE (h.open = 0 OR d.resolved_at IS NULL) AND NOT (d.headers <=> '{"outbox_erased":"true"}')
FOR UPDATE
