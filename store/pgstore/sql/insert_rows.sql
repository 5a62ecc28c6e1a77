-- The start of every INSERT of many rows: $1 to $13 one array per column ($12:
-- delays in microseconds), $14 the head start in microseconds, 0 for none.
INSERT INTO outbox_event (
  event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at, locked_until)
SELECT n.event_id, n.event_type, n.aggregate_type, n.aggregate_id, n.tenant_id, n.correlation_id, n.trace_id,
  n.payload::json, n.payload_bytes, n.headers::json,
  coalesce(n.available_at, c.now + coalesce(n.delay, 0) * interval '1 microsecond'), n.occurred_at, c.now,
  CASE WHEN $14::bigint > 0 THEN c.now + $14::bigint * interval '1 microsecond' END
FROM unnest(
  $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
  $8::text[], $9::bytea[], $10::text[], $11::timestamptz[], $12::bigint[], $13::timestamptz[])
  WITH ORDINALITY AS n(event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
    payload, payload_bytes, headers, available_at, delay, occurred_at, ord)
  CROSS JOIN (SELECT clock_timestamp() AS now) c
