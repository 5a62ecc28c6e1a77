-- ?1 event id, ?2 seq of the letter, ?3 payload or null, ?4 payload as bytes or
-- null, ?5 headers or null. No row if an event of that id is in the outbox.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at, claim_no, failures)
SELECT d.event_id, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id, d.correlation_id, d.trace_id,
  ?3, ?4, ?5, UTC_TIMESTAMP(6), d.occurred_at, d.created_at, d.claim_no + 1,
  CASE WHEN COALESCE(d.failures, '') NOT LIKE '[{%' OR d.failures LIKE '%"maybe":true%' OR d.failures LIKE '%"maybe_before":true%'
    THEN '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]' END
FROM outbox_dlq_event d
WHERE d.event_id = ?1 AND d.seq = ?2 AND NOT EXISTS (SELECT 1 FROM outbox_event e WHERE e.event_id = d.event_id)
