-- ?1 the entry to start before, ?2 how many entries to skip. Returns the one after
-- them, if there is one.
SELECT audit_id
FROM outbox_audit
WHERE audit_id < ?1
ORDER BY audit_id DESC
LIMIT 1 OFFSET ?2
