-- ?1 age in microseconds, ?2 how many.
DELETE FROM outbox_alert
WHERE resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
  AND (muted_until IS NULL OR muted_until <= UTC_TIMESTAMP(6))
ORDER BY resolved_at LIMIT ?2
