-- $1 how many lanes, $2 where to stop counting in each. Lane, rows that wait,
-- rows that are held, and microseconds since the earliest free one was due.
WITH RECURSIVE lane(event_type, n) AS (
  (SELECT e.event_type, 1 FROM outbox_event e WHERE e.status IN (0, 2) ORDER BY e.event_type LIMIT 1)
  UNION ALL
  SELECT r.event_type, l.n + 1 FROM lane l CROSS JOIN LATERAL (
    SELECT e.event_type FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type > l.event_type
    ORDER BY e.event_type LIMIT 1) r
  WHERE l.n < $1::int
)
SELECT l.event_type,
  count(*) FILTER (WHERE p.locked_until IS NULL OR p.locked_until <= statement_timestamp()),
  count(*) FILTER (WHERE p.locked_until > statement_timestamp()),
  (extract(epoch FROM statement_timestamp() - min(p.available_at) FILTER (
    WHERE p.locked_until IS NULL OR p.locked_until <= statement_timestamp())) * 1000000)::bigint
FROM lane l
CROSS JOIN LATERAL (
  SELECT e.locked_until, e.available_at FROM outbox_event e
  WHERE e.status IN (0, 2) AND e.event_type = l.event_type
  ORDER BY e.available_at, e.seq LIMIT $2::int) p
GROUP BY l.event_type
ORDER BY l.event_type
