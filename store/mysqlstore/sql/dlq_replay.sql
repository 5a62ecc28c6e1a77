-- ?1 [event id, seq] of each letter that can go back.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at, claim_no, failures)
SELECT d.event_id, d.event_type, d.aggregate_type, d.aggregate_id, d.tenant_id, d.correlation_id, d.trace_id,
  d.payload, d.payload_bytes, d.headers, UTC_TIMESTAMP(6), d.occurred_at, d.created_at, d.claim_no + 1,
  CASE WHEN COALESCE(d.failures, '') NOT LIKE '[{%' OR d.failures LIKE '%"maybe":true%' OR d.failures LIKE '%"maybe_before":true%'
    THEN '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]' END
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]')) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND d.seq = h.seq
ORDER BY d.seq
