-- ?1 age in microseconds, ?2 how many to look at. The earliest ones are found by
-- their number: an index by time would be for this alone.
SELECT e.audit_id
FROM (SELECT a.audit_id, a.acted_at FROM outbox_audit a ORDER BY a.audit_id LIMIT ?2) e
WHERE e.acted_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
