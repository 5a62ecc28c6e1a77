-- $1 lane, $2 text in the error, $3 died before, $4 died after, $5 group, $6
-- destination, $7 tenant, $8 aggregate id, $9 headers that it leaves out. For
-- resolved letters, IS NULL becomes IS NOT NULL: a parameter in its place would keep
-- indexes from being used.
WHERE d.resolved_at IS NULL
  AND ($1::text = '' OR d.event_type = $1::text)
  AND ($2::text = '' OR position($2::text IN d.last_error) > 0)
  AND ($3::timestamptz IS NULL OR d.died_at < $3::timestamptz)
  AND ($4::timestamptz IS NULL OR d.died_at > $4::timestamptz)
  AND ($5::text = '' OR d.group_id = $5::text)
  AND ($6::text = '' OR d.destination = $6::text)
  AND ($7::text = '' OR d.tenant_id = $7::text)
  AND ($8::text = '' OR d.aggregate_id = $8::text)
  AND ($9::text = '' OR d.headers IS NULL OR d.headers::text <> $9::text)
