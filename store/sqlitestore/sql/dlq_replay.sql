-- ?1 [event id] of each letter that can go back. Of two letters of one id the
-- later one does.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at, created_at, claim_no)
SELECT event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at, created_at, claim_no + 1
FROM outbox_dlq_event d
WHERE event_id IN (SELECT value ->> 0 FROM json_each(?1))
  AND seq = (SELECT max(l.seq) FROM outbox_dlq_event l WHERE l.event_id = d.event_id)
ORDER BY seq
