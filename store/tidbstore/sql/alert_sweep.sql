-- ?1 [alert] of each, ?2 age in microseconds. An alert that was just
-- raised again stays.
DELETE a FROM outbox_alert a FORCE INDEX (PRIMARY)
WHERE a.alert_id IN (?1[0])
  AND a.resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
  AND (a.muted_until IS NULL OR a.muted_until <= UTC_TIMESTAMP(6))
