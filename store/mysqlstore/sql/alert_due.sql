-- ?1 how many. Alerts whose notification is due, locked. Times are in
-- microseconds.
SELECT alert_id, rule, subject, severity, message,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', raised_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', seen_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', resolved_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', notified_at),
  notices, turn, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', muted_until), actor, note,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', marked_at)
FROM outbox_alert
WHERE notify_at <= UTC_TIMESTAMP(6) AND (resolved_at IS NOT NULL OR muted_until IS NULL OR muted_until <= UTC_TIMESTAMP(6))
ORDER BY notify_at, alert_id
LIMIT ?1
FOR UPDATE SKIP LOCKED
