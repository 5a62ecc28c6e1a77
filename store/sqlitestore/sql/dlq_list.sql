-- ?1 to ?5 as in dlq_count.sql, ?6 and ?7 the letter to start after or null, ?8
-- how many.
SELECT event_id, seq, claim_no, event_type, aggregate_type, aggregate_id, tenant_id,
  correlation_id, trace_id, payload, payload_bytes, headers, attempts, last_error, failures,
  iif(typeof(occurred_at) = 'text', CAST(round(unixepoch(occurred_at, 'subsec') * 1000000) AS INTEGER), occurred_at * 1000),
  iif(typeof(created_at) = 'text', CAST(round(unixepoch(created_at, 'subsec') * 1000000) AS INTEGER), created_at * 1000),
  died_at * 1000, resolved_at * 1000
FROM outbox_dlq_event
WHERE (?1 = '' OR event_type = ?1)
  AND (?2 = '' OR instr(last_error, ?2) > 0)
  AND (resolved_at IS NOT NULL) = ?3
  AND (?4 IS NULL OR died_at < (?4 + 999) / 1000)
  AND (?5 IS NULL OR died_at > ?5 / 1000)
  AND (?6 IS NULL OR (died_at, event_id) < (?6 / 1000, ?7))
ORDER BY died_at DESC, event_id DESC
LIMIT ?8
