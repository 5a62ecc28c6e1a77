-- Parameters as in take.sql, which takes what this one returns. The list stands in
-- a subquery because MySQL would lock it too, and refuses that.
SELECT e.event_id, e.seq, 1
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.event_id = h.event_id
  AND e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
FOR UPDATE SKIP LOCKED
