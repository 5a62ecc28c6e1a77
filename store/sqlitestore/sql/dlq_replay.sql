-- ?1 [event id, seq] of each letter that can go back.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at, created_at, claim_no, failures)
SELECT event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, occurred_at, created_at, claim_no + 1,
  CASE WHEN coalesce(failures, '') NOT LIKE '[{%' OR failures LIKE '%"maybe":true%' OR failures LIKE '%"maybe_before":true%'
    THEN '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]' END
FROM outbox_dlq_event
WHERE (event_id, seq) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
ORDER BY seq
