-- ?1 event id, ?2 type, ?3 aggregate type, ?4 aggregate id, ?5 tenant, ?6
-- correlation, ?7 trace, ?8 JSON, ?9 bytes, ?10 headers, ?11 available at, ?12
-- delay, ?13 occurred at, ?14 head start or 0. All times and spans are
-- microseconds, here and in the other statements, in multiples of 1000.
INSERT INTO outbox_event (
  event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, locked_until)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
  coalesce(?11 / 1000, CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + coalesce(?12, 0) / 1000),
  ?13 / 1000,
  CASE WHEN ?14 > 0 THEN CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?14 / 1000 END)
RETURNING event_id, seq, 0
