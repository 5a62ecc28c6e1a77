-- An event, as people read it. Times are in microseconds.
SELECT e.event_id, e.seq, e.claim_no, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.last_error, e.failures,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.available_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.occurred_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.created_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.done_at),
  e.locked_by, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.locked_until),
-- include: event_state
FROM outbox_event e
