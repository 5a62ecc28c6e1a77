-- Parameters as in event_list.sql.
WHERE e.event_id < $7::text AND e.event_id >= $8::text
  AND ($1::text = '' OR e.event_type = $1::text)
  AND ($2::text = '' OR e.tenant_id = $2::text)
  AND ($3::text = '' OR e.aggregate_id = $3::text)
  AND ($4::text = '' OR $4::text =
-- include: event_state
  )
  AND ($5::timestamptz IS NULL OR e.created_at > $5::timestamptz)
  AND ($6::timestamptz IS NULL OR e.created_at < $6::timestamptz)
  AND ($9::text = '' OR e.headers IS NULL OR e.headers::text <> $9::text)
