-- ?1 the entry to start before, or 0, ?2 how many.
SELECT audit_id, acted_at * 1000, actor, action, subjects, note
FROM outbox_audit
WHERE ?1 = 0 OR audit_id < ?1
ORDER BY audit_id DESC
LIMIT ?2
