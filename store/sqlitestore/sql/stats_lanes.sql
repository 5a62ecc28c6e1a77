-- ?1 [lane] of each, ?2 how many rows of each to look at, ?3 how many more to
-- count. Returns the lane, how many of the first rows wait and are held, how many
-- rows follow, and the microseconds since the earliest row not known to be held was
-- due. An index can count rows, but only the row itself says whether it is held.
WITH clock(now) AS (
  SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
), lane(name) AS (
  SELECT value ->> 0 FROM json_each(?1)
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
  (SELECT count(*) FROM (
    SELECT 1 FROM outbox_event WHERE status IN (0, 2) AND event_type = lane.name
    ORDER BY available_at, seq LIMIT ?3 OFFSET ?2)),
  1000 * (now - coalesce(
    (SELECT min(available_at) FROM (
      SELECT locked_until, available_at FROM outbox_event WHERE status IN (0, 2) AND event_type = lane.name
      ORDER BY available_at, seq LIMIT ?2)
     WHERE locked_until IS NULL OR locked_until <= now),
    (SELECT available_at FROM outbox_event WHERE status IN (0, 2) AND event_type = lane.name
     ORDER BY available_at, seq LIMIT 1 OFFSET ?2)))
FROM lane CROSS JOIN clock
