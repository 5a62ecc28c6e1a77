-- A dead letter, as it is read. Times are in microseconds.
SELECT event_id, seq, claim_no, event_type, aggregate_type, aggregate_id, tenant_id,
  correlation_id, trace_id, payload, payload_bytes, headers, attempts, last_error, failures,
  iif(typeof(occurred_at) = 'text', CAST(round(unixepoch(occurred_at, 'subsec') * 1000000) AS INTEGER), occurred_at * 1000),
  iif(typeof(created_at) = 'text', CAST(round(unixepoch(created_at, 'subsec') * 1000000) AS INTEGER), created_at * 1000),
  died_at * 1000, resolved_at * 1000, destination, group_id, note, noted_by, noted_at * 1000
FROM outbox_dlq_event
