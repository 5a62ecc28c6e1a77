-- $1 ids, $2 rules, $3 subjects, $4 severities, $5 messages, one array each, in
-- the order of the ids: two instances lock them in one order. One that was
-- resolved is raised again.
INSERT INTO outbox_alert AS a (alert_id, rule, subject, severity, message)
SELECT k.alert_id, k.rule, k.subject, k.severity, k.message
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) k(alert_id, rule, subject, severity, message)
ON CONFLICT (alert_id) DO UPDATE
SET severity = excluded.severity, message = excluded.message, seen_at = excluded.seen_at,
  raised_at = CASE WHEN a.resolved_at IS NULL THEN a.raised_at ELSE excluded.raised_at END,
  notify_at = CASE WHEN a.resolved_at IS NULL THEN a.notify_at ELSE excluded.notify_at END,
  notified_at = CASE WHEN a.resolved_at IS NULL THEN a.notified_at END,
  notices = CASE WHEN a.resolved_at IS NULL THEN a.notices ELSE 0 END,
  turn = CASE WHEN a.resolved_at IS NULL THEN a.turn ELSE a.turn + 1 END,
  resolved_at = NULL
