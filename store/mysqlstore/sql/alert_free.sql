-- ?1 [alert] of each. Locks and returns those that no other session has locked.
SELECT a.alert_id
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (alert_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_alert a FORCE INDEX (PRIMARY) ON a.alert_id = h.alert_id
FOR UPDATE SKIP LOCKED
