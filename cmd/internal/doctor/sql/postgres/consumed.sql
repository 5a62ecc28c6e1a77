-- The earliest consumed id's time, and how many seconds ago the earliest event
-- that is not delivered yet was written: the first of each lane that the index of
-- pending rows has, at most a thousand lanes.
WITH RECURSIVE lanes(n, lane) AS (
  (SELECT 1, e.event_type FROM outbox_event e WHERE e.status IN (0, 2) ORDER BY e.event_type LIMIT 1)
  UNION ALL
  SELECT l.n + 1, (SELECT e.event_type FROM outbox_event e WHERE e.status IN (0, 2) AND e.event_type > l.lane ORDER BY e.event_type LIMIT 1)
  FROM lanes l WHERE l.lane IS NOT NULL AND l.n < 1000
)
SELECT (SELECT g.consumed_at FROM outbox_consumed_event g LIMIT 1),
  (SELECT extract(epoch FROM clock_timestamp() - min(f.created_at))
    FROM lanes l CROSS JOIN LATERAL (
      SELECT e.created_at FROM outbox_event e WHERE e.status IN (0, 2) AND e.event_type = l.lane ORDER BY e.available_at, e.seq LIMIT 1) f)
