-- Parameters as in retry.sql. The first half of the move; done_delete.sql is
-- the second, in the same transaction.
INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
SELECT e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id,
  e.trace_id, e.payload, e.payload_bytes, e.headers, h.value ->> 4, e.occurred_at, e.created_at, h.value ->> 6, h.value ->> 7, e.claim_no
FROM json_each(?1) h CROSS JOIN outbox_event e
WHERE e.seq = h.value ->> 1 AND e.event_id = h.value ->> 0 AND e.claim_no = h.value ->> 2
  AND e.locked_by IS CASE WHEN e.claim_no > 0 THEN ?2 END
  AND +e.status IN (0, 2)
