-- $1 the lane to start after, $2 how many. Skips from lane to lane through the
-- index; the age is in microseconds.
WITH RECURSIVE lane(event_type, available_at, n) AS (
  (SELECT e.event_type, e.available_at, 1
   FROM outbox_event e
   WHERE e.status IN (0, 2) AND e.event_type > $1::text
   ORDER BY e.event_type, e.available_at, e.seq
   LIMIT 1)
  UNION ALL
  SELECT r.event_type, r.available_at, l.n + 1
  FROM lane l
  CROSS JOIN LATERAL (
    SELECT e.event_type, e.available_at
    FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type > l.event_type
    ORDER BY e.event_type, e.available_at, e.seq
    LIMIT 1) r
  WHERE l.n < $2::int
)
SELECT event_type, (extract(epoch FROM clock_timestamp() - available_at) * 1000000)::bigint FROM lane ORDER BY event_type
