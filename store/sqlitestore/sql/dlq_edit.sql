-- ?1 event id, ?2 seq of the letter, ?3 payload or null, ?4 payload as bytes or
-- null, ?5 headers or null. No row if an event of that id is in the outbox.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at, created_at, claim_no, failures)
SELECT event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  ?3, ?4, ?5, occurred_at, created_at, claim_no + 1,
  CASE WHEN coalesce(failures, '') NOT LIKE '[{%' OR failures LIKE '%"maybe":true%' OR failures LIKE '%"maybe_before":true%'
    THEN '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]' END
FROM outbox_dlq_event
WHERE event_id = ?1 AND seq = ?2
ON CONFLICT (event_id) DO NOTHING
