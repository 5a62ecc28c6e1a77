-- $1 how many. Rows that another program marked as dead in place.
WITH gone AS (
  DELETE FROM outbox_event e
  WHERE e.event_id = ANY (ARRAY(
      SELECT d.event_id FROM outbox_event d WHERE d.status = 3 ORDER BY d.seq LIMIT $1::int FOR UPDATE SKIP LOCKED))
    AND CASE WHEN e.status = 3 THEN true END
  RETURNING e.*
)
INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
SELECT event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no
FROM gone
