-- ?1 event id, ?2 type, ?3 aggregate type, ?4 aggregate id, ?5 tenant, ?6
-- correlation, ?7 trace, ?8 JSON, ?9 bytes, ?10 headers, ?11 available at, ?12
-- delay in microseconds, ?13 occurred at, ?14 head start in microseconds or 0.
-- The values are repeated for each row.
INSERT INTO outbox_event (
  event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at, locked_until)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
  COALESCE(?11, UTC_TIMESTAMP(6) + INTERVAL COALESCE(?12, 0) MICROSECOND), ?13, UTC_TIMESTAMP(6),
  IF(?14 > 0, UTC_TIMESTAMP(6) + INTERVAL ?14 MICROSECOND, NULL))
