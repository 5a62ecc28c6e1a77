-- A dead letter, as it is read.
SELECT d.event_id, d.seq, d.claim_no, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id,
  d.correlation_id, d.trace_id, d.payload::text, d.payload_bytes, d.headers::text, d.attempts, d.last_error, d.failures,
  d.occurred_at, d.created_at, d.died_at, d.resolved_at, d.destination, d.group_id,
  d.note, d.noted_by, d.noted_at
FROM outbox_dlq_event d
