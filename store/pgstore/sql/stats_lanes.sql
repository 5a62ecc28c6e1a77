-- $1 lanes, $2 how many rows of each to look at, $3 how many more to count. Returns
-- the lane, how many of the first rows wait and are held, how many rows follow, and
-- the microseconds since the earliest row not known to be held was due. An index can
-- count rows, but only the row itself says whether it is held.
SELECT l.event_type, first.free, first.held, rest.n,
  (extract(epoch FROM statement_timestamp() - coalesce(first.available_at, rest.available_at)) * 1000000)::bigint
FROM unnest($1::text[]) l(event_type)
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.locked_until IS NULL OR p.locked_until <= statement_timestamp()) AS free,
    count(*) FILTER (WHERE p.locked_until > statement_timestamp()) AS held,
    min(p.available_at) FILTER (WHERE p.locked_until IS NULL OR p.locked_until <= statement_timestamp()) AS available_at
  FROM (
    SELECT e.locked_until, e.available_at FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type = l.event_type
    ORDER BY e.available_at, e.seq LIMIT $2::int) p) first
CROSS JOIN LATERAL (
  SELECT count(*) AS n, min(p.available_at) AS available_at
  FROM (
    SELECT e.available_at FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type = l.event_type
    ORDER BY e.available_at, e.seq LIMIT $3::int OFFSET $2::int) p) rest
