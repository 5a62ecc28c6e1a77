-- ?1 [entry] of each.
DELETE FROM outbox_audit WHERE audit_id IN (?1[0])
