-- The claims that are held, in a form that can be locked: parameters as in
-- held.sql.
SELECT e.event_id, e.seq, e.claim_no
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', claim_no BIGINT PATH '$[2]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.event_id = h.event_id AND e.claim_no = h.claim_no
  AND e.locked_by <=> IF(h.claim_no > 0, ?2, NULL)
  AND e.status IN (0, 2)
