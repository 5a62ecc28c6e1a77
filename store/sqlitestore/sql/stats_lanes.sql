-- ?1 how many lanes, ?2 where to stop counting in each. Lane, rows that wait,
-- rows that are held, and microseconds since the earliest free one was due.
WITH RECURSIVE clock(now) AS (
  SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
), lane(name) AS (
  SELECT min(event_type) FROM outbox_event WHERE status IN (0, 2)
  UNION ALL
  SELECT (SELECT min(event_type) FROM outbox_event WHERE status IN (0, 2) AND event_type > lane.name)
  FROM lane WHERE lane.name IS NOT NULL
  LIMIT ?1
)
SELECT lane.name,
  (SELECT count(*) FROM (
    SELECT locked_until FROM outbox_event WHERE status IN (0, 2) AND event_type = lane.name
    ORDER BY available_at, seq LIMIT ?2)
   WHERE locked_until IS NULL OR locked_until <= now),
  (SELECT count(*) FROM (
    SELECT locked_until FROM outbox_event WHERE status IN (0, 2) AND event_type = lane.name
    ORDER BY available_at, seq LIMIT ?2)
   WHERE locked_until > now),
  (SELECT 1000 * (now - min(available_at)) FROM (
    SELECT locked_until, available_at FROM outbox_event WHERE status IN (0, 2) AND event_type = lane.name
    ORDER BY available_at, seq LIMIT ?2)
   WHERE locked_until IS NULL OR locked_until <= now)
FROM lane CROSS JOIN clock
WHERE lane.name IS NOT NULL
ORDER BY lane.name
