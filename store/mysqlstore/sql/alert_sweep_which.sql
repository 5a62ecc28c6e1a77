-- ?1 age in microseconds, ?2 how many.
SELECT a.alert_id
FROM outbox_alert a
WHERE a.resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
  AND (a.muted_until IS NULL OR a.muted_until <= UTC_TIMESTAMP(6))
ORDER BY a.resolved_at
LIMIT ?2
