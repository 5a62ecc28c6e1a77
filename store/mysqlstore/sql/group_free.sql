-- ?1 [group] of each. Locks and returns those that no other session has locked.
SELECT g.group_id
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (group_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_dlq_group g FORCE INDEX (PRIMARY) ON g.group_id = h.group_id
FOR UPDATE SKIP LOCKED
