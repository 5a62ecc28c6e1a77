-- $1 lane, $2 text in the error, $3 resolved, $4 died before, $5 died after, $6
-- where to stop counting.
SELECT count(*) FROM (
  SELECT FROM outbox_dlq_event d
  WHERE ($1::text = '' OR d.event_type = $1::text)
    AND ($2::text = '' OR position($2::text IN d.last_error) > 0)
    AND (d.resolved_at IS NOT NULL) = $3::boolean
    AND ($4::timestamptz IS NULL OR d.died_at < $4::timestamptz)
    AND ($5::timestamptz IS NULL OR d.died_at > $5::timestamptz)
  LIMIT $6::int) s
