-- ?1 open, resolved, muted or empty for any, ?2 rule, likewise, ?3 how many. Times are in microseconds.
SELECT alert_id, rule, subject, severity, message,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', raised_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', seen_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', resolved_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', notified_at),
  notices, turn, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', muted_until), actor, note,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', marked_at)
FROM outbox_alert
WHERE (?1 = ''
    OR ?1 = 'open' AND resolved_at IS NULL
    OR ?1 = 'resolved' AND resolved_at IS NOT NULL
    OR ?1 = 'muted' AND muted_until > UTC_TIMESTAMP(6))
  AND (?2 = '' OR rule = ?2)
ORDER BY resolved_at IS NOT NULL, raised_at DESC, alert_id
LIMIT ?3
