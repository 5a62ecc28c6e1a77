-- ?1 open, resolved, muted or empty for any, ?2 rule, likewise, ?3 how many. Times are in microseconds.
SELECT alert_id, rule, subject, severity, message, raised_at * 1000, seen_at * 1000, resolved_at * 1000, notified_at * 1000,
  notices, turn, muted_until * 1000, actor, note, marked_at * 1000
FROM outbox_alert
WHERE (?1 = ''
    OR ?1 = 'open' AND resolved_at IS NULL
    OR ?1 = 'resolved' AND resolved_at IS NOT NULL
    OR ?1 = 'muted' AND muted_until > CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
  AND (?2 = '' OR rule = ?2)
ORDER BY resolved_at IS NOT NULL, raised_at DESC, alert_id
LIMIT ?3
