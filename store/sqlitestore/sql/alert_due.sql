-- ?1 how many. Alerts whose notification is due. Times are in microseconds.
SELECT alert_id, rule, subject, severity, message, raised_at * 1000, seen_at * 1000, resolved_at * 1000, notified_at * 1000,
  notices, turn, muted_until * 1000, actor, note, marked_at * 1000
FROM outbox_alert
WHERE notify_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
  AND (resolved_at IS NOT NULL OR muted_until IS NULL OR muted_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
ORDER BY notify_at, alert_id
LIMIT ?1
