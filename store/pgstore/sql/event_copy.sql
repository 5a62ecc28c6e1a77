-- $1 ids of delivered events, $2 the ids of their copies, $3 their headers.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at)
SELECT k.copy_id, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id, e.trace_id,
  e.payload, e.payload_bytes, k.headers::json, e.occurred_at
FROM unnest($1::text[], $2::text[], $3::text[]) k(event_id, copy_id, headers)
JOIN outbox_event e ON e.event_id = k.event_id AND e.status = 1
ORDER BY e.seq
