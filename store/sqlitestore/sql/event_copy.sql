-- ?1 [id of a delivered event, id of its copy, headers of the copy] of each.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at)
SELECT k.value ->> 1, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id, e.trace_id,
  e.payload, e.payload_bytes, k.value ->> 2, e.occurred_at
FROM json_each(?1) k CROSS JOIN outbox_event e ON e.event_id = k.value ->> 0
WHERE e.status = 1
ORDER BY e.seq
