-- ?1 [seq] of each row. Locks and returns them, or fails if it would have to wait.
SELECT e.seq
FROM outbox_event e FORCE INDEX (PRIMARY)
WHERE e.seq IN (?1[0])
FOR UPDATE NOWAIT
