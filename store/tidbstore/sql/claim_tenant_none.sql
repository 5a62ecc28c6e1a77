-- Parameters as in claim.sql. Rows without a tenant: with a condition for null or a
-- name, the server would sort.
(SELECT ?1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.available_at), e.seq, e.payload_size
FROM outbox_event e FORCE INDEX (outbox_event_fair)
WHERE e.lane = ?2 AND e.tenant_id IS NULL AND e.available_at <= UTC_TIMESTAMP(6) - INTERVAL ?7 MICROSECOND
  AND ((e.available_at = CAST(?4 AS DATETIME(6)) AND e.seq > ?5) OR e.available_at > CAST(?4 AS DATETIME(6)))
  AND (e.locked_until IS NULL OR e.locked_until <= UTC_TIMESTAMP(6))
ORDER BY e.available_at, e.seq
LIMIT ?3)
