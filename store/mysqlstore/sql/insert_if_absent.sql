-- Parameters as in insert.sql. Without what insert_if_absent_which.sql returned.
INSERT INTO outbox_event (
  event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, locked_until)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
  COALESCE(?11, UTC_TIMESTAMP(6) + INTERVAL COALESCE(?12, 0) MICROSECOND), ?13,
  IF(?14 > 0, UTC_TIMESTAMP(6) + INTERVAL ?14 MICROSECOND, NULL))
