-- ?1 [seq] of each row.
DELETE e
FROM JSON_TABLE(?1, '$[*]' COLUMNS (seq BIGINT PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.status = 3
