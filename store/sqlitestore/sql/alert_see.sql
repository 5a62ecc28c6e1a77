-- ?1 [id, rule, subject, severity, message] of each. One that was resolved is
-- raised again.
INSERT INTO outbox_alert AS a (alert_id, rule, subject, severity, message)
SELECT k.value ->> 0, k.value ->> 1, k.value ->> 2, k.value ->> 3, k.value ->> 4
FROM json_each(?1) k
WHERE true
ON CONFLICT (alert_id) DO UPDATE
SET severity = excluded.severity, message = excluded.message, seen_at = excluded.seen_at,
  raised_at = iif(a.resolved_at IS NULL, a.raised_at, excluded.raised_at),
  notify_at = iif(a.resolved_at IS NULL, a.notify_at, excluded.notify_at),
  notified_at = iif(a.resolved_at IS NULL, a.notified_at, NULL),
  notices = iif(a.resolved_at IS NULL, a.notices, 0),
  turn = iif(a.resolved_at IS NULL, a.turn, a.turn + 1),
  resolved_at = NULL
