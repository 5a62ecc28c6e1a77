-- An event, as people read it. Times are in microseconds; other programs write
-- them as text.
SELECT e.event_id, e.seq, e.claim_no, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.last_error, e.failures,
  iif(typeof(e.available_at) = 'text', CAST(round(unixepoch(e.available_at, 'subsec') * 1000000) AS INTEGER), e.available_at * 1000),
  iif(typeof(e.occurred_at) = 'text', CAST(round(unixepoch(e.occurred_at, 'subsec') * 1000000) AS INTEGER), e.occurred_at * 1000),
  iif(typeof(e.created_at) = 'text', CAST(round(unixepoch(e.created_at, 'subsec') * 1000000) AS INTEGER), e.created_at * 1000),
  iif(typeof(e.done_at) = 'text', CAST(round(unixepoch(e.done_at, 'subsec') * 1000000) AS INTEGER), e.done_at * 1000),
  e.locked_by, e.locked_until * 1000,
-- include: event_state
FROM outbox_event e
