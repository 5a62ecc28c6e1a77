-- Parameters as in insert.sql, for one event instead of arrays: most
-- transactions write one event, and arrays, with their sorting and planning,
-- cost more than the row.
INSERT INTO outbox_event (
  event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at, locked_until)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text,
  $8::text::json, $9::bytea, $10::text::json,
  coalesce($11::timestamptz, c.now + coalesce($12::bigint, 0) * interval '1 microsecond'), $13::timestamptz, c.now,
  CASE WHEN $14::bigint > 0 THEN c.now + $14::bigint * interval '1 microsecond' END
FROM (SELECT clock_timestamp() AS now) c
RETURNING event_id, seq, xmin::text = pg_current_xact_id()::xid::text
