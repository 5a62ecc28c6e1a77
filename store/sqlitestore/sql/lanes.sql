-- ?1 the lane to start after, ?2 how many. Skips from lane to lane through the
-- index; the age is in microseconds.
WITH RECURSIVE lane(name) AS (
  SELECT min(event_type) FROM outbox_event WHERE status IN (0, 2) AND event_type > ?1
  UNION ALL
  SELECT (SELECT min(event_type) FROM outbox_event WHERE status IN (0, 2) AND event_type > lane.name)
  FROM lane WHERE lane.name IS NOT NULL
  LIMIT ?2
)
SELECT lane.name, 1000 * (CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - (
  SELECT available_at FROM outbox_event
  WHERE status IN (0, 2) AND event_type = lane.name
  ORDER BY available_at, seq LIMIT 1))
FROM lane
WHERE lane.name IS NOT NULL
ORDER BY lane.name
