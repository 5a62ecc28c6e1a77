-- Parameters as in insert.sql. An id that is already stored, even as a dead
-- letter, is left out and not returned.
INSERT INTO outbox_event (
  event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, locked_until)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
  coalesce(?11 / 1000, CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + coalesce(?12, 0) / 1000),
  ?13 / 1000,
  CASE WHEN ?14 > 0 THEN CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?14 / 1000 END
WHERE NOT EXISTS (SELECT 1 FROM outbox_dlq_event WHERE event_id = ?1)
ON CONFLICT (event_id) DO NOTHING
RETURNING event_id, seq, 0
