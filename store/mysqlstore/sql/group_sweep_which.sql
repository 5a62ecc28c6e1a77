-- ?1 age in microseconds, ?2 how many, the earliest ones. NOT EXISTS would become a join
-- with all letters.
SELECT g.group_id
FROM outbox_dlq_group g FORCE INDEX (outbox_dlq_group_last)
WHERE g.last_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
  AND (g.muted_until IS NULL OR g.muted_until <= UTC_TIMESTAMP(6))
  AND (SELECT 1 FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group) WHERE d.group_id = g.group_id AND d.resolved_at IS NULL LIMIT 1) IS NULL
ORDER BY g.last_at
LIMIT ?2
