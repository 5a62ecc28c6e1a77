-- What a claim returns.
RETURNING e.event_id, e.seq, e.claim_no, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.recovered,
  e.available_at, e.occurred_at, e.created_at, e.failures
