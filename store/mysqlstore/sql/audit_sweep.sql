-- ?1 age in microseconds, ?2 how many to look at. The earliest ones are found by
-- their number: an index by time would be for this alone.
DELETE a FROM outbox_audit a
JOIN (SELECT audit_id, acted_at FROM outbox_audit ORDER BY audit_id LIMIT ?2) e ON e.audit_id = a.audit_id
WHERE e.acted_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
