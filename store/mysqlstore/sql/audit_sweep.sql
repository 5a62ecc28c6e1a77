-- ?1 [entry] of each.
DELETE a
FROM JSON_TABLE(?1, '$[*]' COLUMNS (audit_id BIGINT PATH '$[0]')) h
STRAIGHT_JOIN outbox_audit a FORCE INDEX (PRIMARY) ON a.audit_id = h.audit_id
