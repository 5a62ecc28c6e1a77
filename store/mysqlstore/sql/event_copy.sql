-- ?1 [id of a delivered event, id of its copy, headers of the copy] of each.
INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
  payload, payload_bytes, headers, available_at, occurred_at, created_at)
SELECT k.copy_id, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id, e.trace_id,
  e.payload, e.payload_bytes, k.headers, UTC_TIMESTAMP(6), e.occurred_at, UTC_TIMESTAMP(6)
FROM JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', copy_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[1]',
  headers LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[2]')) k
STRAIGHT_JOIN outbox_event e FORCE INDEX (outbox_event_id) ON e.event_id = k.event_id
WHERE e.status = 1
ORDER BY e.seq
