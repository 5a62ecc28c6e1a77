-- $1 lane, $2 destination, $3 text in the reason, $4 state, $5 who set it, $6 and $7
-- between when the latest letter came, $8 and $9 the group to start after or null,
-- $10 and $11 the last one to look at or null, $12 how many. The first seven are
-- empty or NULL for any. EXISTS would become a join with all letters; of groups that are
-- ordered, the index finds the first with a letter.
-- include: group_columns
WHERE ($1::text = '' OR g.event_type = $1::text)
  AND ($2::text = '' OR g.destination = $2::text)
  AND ($3::text = '' OR position($3::text IN g.reason) > 0)
  AND ($4::text = '' OR CASE WHEN g.muted_until <= clock_timestamp() THEN 'new' ELSE g.state END = $4::text)
  AND ($5::text = '' OR g.actor = $5::text)
  AND ($6::timestamptz IS NULL OR g.last_at > $6::timestamptz)
  AND ($7::timestamptz IS NULL OR g.last_at < $7::timestamptz)
  AND ($8::timestamptz IS NULL OR (g.last_at, g.group_id) < ($8::timestamptz, $9::text))
  AND ($10::timestamptz IS NULL OR (g.last_at, g.group_id) >= ($10::timestamptz, $11::text))
  AND g.group_id = (SELECT d.group_id FROM outbox_dlq_event d WHERE d.group_id >= g.group_id AND d.resolved_at IS NULL ORDER BY d.group_id LIMIT 1)
ORDER BY g.last_at DESC, g.group_id DESC
LIMIT $12::int
