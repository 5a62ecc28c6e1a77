-- ?1 [id, rule, subject, severity, message] of each, in the order of the ids: two
-- instances lock them in one order. One that was resolved is raised again; the
-- columns are set one after the other.
INSERT INTO outbox_alert (alert_id, rule, subject, severity, message, raised_at, seen_at, notify_at)
SELECT k.alert_id, k.rule, k.subject, k.severity, k.message, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  alert_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]',
  rule VARCHAR(32) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[1]',
  subject VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[2]',
  severity VARCHAR(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[3]',
  message TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[4]')) k
ON DUPLICATE KEY UPDATE
  severity = VALUES(severity), message = VALUES(message), seen_at = UTC_TIMESTAMP(6),
  raised_at = IF(outbox_alert.resolved_at IS NULL, outbox_alert.raised_at, UTC_TIMESTAMP(6)),
  notify_at = IF(outbox_alert.resolved_at IS NULL, outbox_alert.notify_at, UTC_TIMESTAMP(6)),
  notified_at = IF(outbox_alert.resolved_at IS NULL, outbox_alert.notified_at, NULL),
  notices = IF(outbox_alert.resolved_at IS NULL, outbox_alert.notices, 0),
  turn = IF(outbox_alert.resolved_at IS NULL, outbox_alert.turn, outbox_alert.turn + 1),
  resolved_at = NULL
