-- ?1 the lane to start after, ?2 how many, ?3 how many rows to read: the lanes
-- among the next rows, which are not all there are. The servers cannot skip from
-- lane to lane within a statement: where a subquery asks for the lane after
-- another, they read the index from its start, and where they group by lane, they
-- read every row as soon as statistics say so. The first row of a lane is its
-- earliest; the age is in microseconds.
SELECT s.lane, TIMESTAMPDIFF(MICROSECOND, MIN(s.available_at), UTC_TIMESTAMP(6))
FROM (SELECT e.lane, e.available_at
  FROM outbox_event e FORCE INDEX (outbox_event_pending)
  WHERE e.lane > ?1
  ORDER BY e.lane, e.available_at, e.seq
  LIMIT ?3) s
GROUP BY s.lane
ORDER BY s.lane
LIMIT ?2
