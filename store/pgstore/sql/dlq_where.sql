-- $1 lane, $2 text in the error, $3 resolved, $4 died before, $5 died after, $6
-- group, $7 destination, $8 tenant, $9 aggregate id.
WHERE ($1::text = '' OR d.event_type = $1::text)
  AND ($2::text = '' OR position($2::text IN d.last_error) > 0)
  AND CASE WHEN $3::boolean THEN d.resolved_at IS NOT NULL ELSE d.resolved_at IS NULL END
  AND ($4::timestamptz IS NULL OR d.died_at < $4::timestamptz)
  AND ($5::timestamptz IS NULL OR d.died_at > $5::timestamptz)
  AND ($6::text = '' OR d.group_id = $6::text)
  AND ($7::text = '' OR d.destination = $7::text)
  AND ($8::text = '' OR d.tenant_id = $8::text)
  AND ($9::text = '' OR d.aggregate_id = $9::text)
