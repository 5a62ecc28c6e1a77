-- $1 lane, $2 group, $3 tenant, $4 aggregate id, of which at most one is not empty,
-- so that an index finds just these letters; $5 died before, $6 died after, $7 and
-- $8 the letter to start after or null, $9 how many to skip. Returns the one after
-- them, if there is one. For resolved letters, all are looked at.
SELECT d.died_at, d.event_id
FROM outbox_dlq_event d
WHERE d.resolved_at IS NULL
  AND ($1::text = '' OR d.event_type = $1::text)
  AND ($2::text = '' OR d.group_id = $2::text)
  AND ($3::text = '' OR d.tenant_id = $3::text)
  AND ($4::text = '' OR d.aggregate_id = $4::text)
  AND ($5::timestamptz IS NULL OR d.died_at < $5::timestamptz)
  AND ($6::timestamptz IS NULL OR d.died_at > $6::timestamptz)
  AND ($7::timestamptz IS NULL OR (d.died_at, d.event_id) < ($7::timestamptz, $8::text))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT 1 OFFSET $9::int
