-- ?1 [seq] of each row. Locks and returns those that no other session has locked.
SELECT e.seq
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (seq BIGINT PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
FOR UPDATE SKIP LOCKED
