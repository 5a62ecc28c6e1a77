-- ?1 [seq] of each row. Found by a query of its own: within a DELETE it would lock
-- what it reads, and the row after it, which may be of a transaction that stays
-- open.
DELETE e
FROM JSON_TABLE(?1, '$[*]' COLUMNS (seq BIGINT PATH '$[0]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
WHERE e.status = 1
