-- ?1 [alert] of each, ?2 age in microseconds. An alert that was just
-- raised again stays.
DELETE a
FROM JSON_TABLE(?1, '$[*]' COLUMNS (alert_id VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_alert a FORCE INDEX (PRIMARY) ON a.alert_id = h.alert_id
WHERE a.resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
  AND (a.muted_until IS NULL OR a.muted_until <= UTC_TIMESTAMP(6))
