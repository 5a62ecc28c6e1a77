-- A dead letter, as it is read. Times are in microseconds.
SELECT d.event_id, d.seq, d.claim_no, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id,
  d.correlation_id, d.trace_id, d.payload, d.payload_bytes, d.headers, d.attempts, d.last_error, d.failures,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.occurred_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.created_at),
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.died_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.resolved_at),
  d.destination, d.group_id, d.note, d.noted_by, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.noted_at)
FROM outbox_dlq_event d
