-- ?1 [event id, seq, 0] of each letter. Those whose id is in the outbox stay, and
-- get the status CONFLICT.
UPDATE (
  SELECT *
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (
    event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) t) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
SET d.status = 'CONFLICT'
WHERE d.status = 'TO_RETRY'
