-- ?1 the entry to start before, or 0, ?2 how many.
SELECT audit_id, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', acted_at), actor, action, subjects, note
FROM outbox_audit
WHERE ?1 = 0 OR audit_id < ?1
ORDER BY audit_id DESC
LIMIT ?2
