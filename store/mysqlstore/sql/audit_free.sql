-- ?1 [entry] of each. Locks and returns those that no other session has locked.
SELECT a.audit_id
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (audit_id BIGINT PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_audit a FORCE INDEX (PRIMARY) ON a.audit_id = h.audit_id
FOR UPDATE SKIP LOCKED
