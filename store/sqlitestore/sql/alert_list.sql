-- ?1 how many. Times are in microseconds.
SELECT alert_id, rule, subject, severity, message, raised_at * 1000, seen_at * 1000, resolved_at * 1000, notified_at * 1000,
  notices, turn, muted_until * 1000, actor, note, marked_at * 1000
FROM outbox_alert
ORDER BY resolved_at IS NOT NULL, raised_at DESC, alert_id
LIMIT ?1
