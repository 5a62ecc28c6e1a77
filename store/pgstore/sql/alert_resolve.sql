-- $1 for how long nobody has seen it, in microseconds. People hear of it if
-- somebody began to tell them that it was raised.
UPDATE outbox_alert
SET resolved_at = clock_timestamp(), turn = turn + 1,
  notify_at = CASE WHEN notified_at IS NOT NULL THEN clock_timestamp() END
WHERE resolved_at IS NULL AND seen_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
