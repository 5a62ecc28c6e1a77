-- ?1 [entry] of each. Locks and returns them, or fails if it would have to wait.
SELECT a.audit_id
FROM outbox_audit a FORCE INDEX (PRIMARY)
WHERE a.audit_id IN (?1[0])
FOR UPDATE NOWAIT
