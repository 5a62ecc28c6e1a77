-- Parameters as in ledger_record.sql, after which each id is there and locked. A
-- read that locks sees what was committed, a plain one only what the transaction
-- saw when it began.
SELECT e.event_id, COALESCE(e.token = ?3, 0)
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_consumed_event e FORCE INDEX (PRIMARY) ON e.consumer_group = ?2 AND e.event_id = h.event_id
LOCK IN SHARE MODE
