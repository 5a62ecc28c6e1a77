-- ?1 [group] of each, ?2 age in microseconds. A group that just got a
-- letter stays.
DELETE g FROM outbox_dlq_group g FORCE INDEX (PRIMARY)
WHERE g.group_id IN (?1[0])
  AND g.last_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
  AND (g.muted_until IS NULL OR g.muted_until <= UTC_TIMESTAMP(6))
