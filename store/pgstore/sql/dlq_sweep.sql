-- $1 age in microseconds, $2 how many.
DELETE FROM outbox_dlq_event d
WHERE (d.event_id, d.seq) IN (
  SELECT r.event_id, r.seq FROM outbox_dlq_event r
  WHERE r.resolved_at IS NOT NULL AND r.resolved_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
  ORDER BY r.resolved_at LIMIT $2::int FOR UPDATE SKIP LOCKED)
