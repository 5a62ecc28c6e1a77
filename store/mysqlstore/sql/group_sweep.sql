-- ?1 age in microseconds, ?2 how many to look at, the earliest ones. NOT EXISTS would
-- become a join with all letters.
DELETE g FROM outbox_dlq_group g
JOIN (
  SELECT o.group_id FROM outbox_dlq_group o
  WHERE o.last_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
    AND (o.muted_until IS NULL OR o.muted_until <= UTC_TIMESTAMP(6))
    AND (SELECT 1 FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group) WHERE d.group_id = o.group_id AND d.resolved_at IS NULL LIMIT 1) IS NULL
  ORDER BY o.last_at LIMIT ?2) s ON s.group_id = g.group_id
WHERE g.last_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
