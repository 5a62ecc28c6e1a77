-- $1 open, resolved, muted or empty for any, $2 rule, likewise, $3 how many.
SELECT alert_id, rule, subject, severity, message, raised_at, seen_at, resolved_at, notified_at, notices, turn, muted_until, actor, note, marked_at
FROM outbox_alert
WHERE ($1::text = ''
    OR $1::text = 'open' AND resolved_at IS NULL
    OR $1::text = 'resolved' AND resolved_at IS NOT NULL
    OR $1::text = 'muted' AND muted_until > clock_timestamp())
  AND ($2::text = '' OR rule = $2::text)
ORDER BY resolved_at IS NOT NULL, raised_at DESC, alert_id
LIMIT $3::int
