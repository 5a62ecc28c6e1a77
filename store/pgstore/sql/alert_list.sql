-- $1 how many.
SELECT alert_id, rule, subject, severity, message, raised_at, seen_at, resolved_at, notified_at, notices, turn, muted_until, actor, note, marked_at
FROM outbox_alert
ORDER BY resolved_at IS NOT NULL, raised_at DESC, alert_id
LIMIT $1::int
