-- $1 age in microseconds, $2 how many.
DELETE FROM outbox_alert
WHERE alert_id = ANY (ARRAY(
  SELECT alert_id FROM outbox_alert
  WHERE resolved_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
    AND (muted_until IS NULL OR muted_until <= clock_timestamp())
  ORDER BY resolved_at LIMIT $2::int FOR UPDATE SKIP LOCKED))
