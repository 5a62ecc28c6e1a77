-- An event, as people read it.
SELECT e.event_id, e.seq, e.claim_no, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload::text, e.payload_bytes, e.headers::text, e.attempts, e.last_error, e.failures,
  e.available_at, e.occurred_at, e.created_at, e.done_at, e.locked_by, e.locked_until,
-- include: event_state
FROM outbox_event e
