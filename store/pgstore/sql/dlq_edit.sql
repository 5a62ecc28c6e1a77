-- $1 event id, $2 seq of the letter, $3 payload or null, $4 payload as bytes or
-- null, $5 headers or null. No row if an event of that id is in the outbox.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at, created_at, claim_no, failures)
SELECT d.event_id, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id, d.correlation_id, d.trace_id,
  $3::text::json, $4::bytea, $5::text::json, d.occurred_at, d.created_at, d.claim_no + 1,
  CASE WHEN coalesce(d.failures, '') NOT LIKE '[{%' OR d.failures LIKE '%"maybe":true%' OR d.failures LIKE '%"maybe_before":true%'
    THEN '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]' END
FROM outbox_dlq_event d
WHERE d.event_id = $1::text AND d.seq = $2::bigint
ON CONFLICT DO NOTHING
