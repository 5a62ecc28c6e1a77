-- $1 how many. Alerts whose notification is due, locked.
SELECT alert_id, rule, subject, severity, message, raised_at, seen_at, resolved_at, notified_at, notices, turn, muted_until, actor, note, marked_at
FROM outbox_alert
WHERE notify_at <= clock_timestamp() AND (resolved_at IS NOT NULL OR muted_until IS NULL OR muted_until <= clock_timestamp())
ORDER BY notify_at, alert_id
LIMIT $1::int
FOR UPDATE SKIP LOCKED
