-- ?1 lane, ?2 where to stop counting. Lane, rows that wait, rows that are held,
-- and microseconds since the earliest free one was due.
(SELECT MIN(p.lane),
  COUNT(IF(p.locked_until > UTC_TIMESTAMP(6), NULL, 1)),
  COUNT(IF(p.locked_until > UTC_TIMESTAMP(6), 1, NULL)),
  MAX(IF(p.locked_until > UTC_TIMESTAMP(6), NULL, TIMESTAMPDIFF(MICROSECOND, p.available_at, UTC_TIMESTAMP(6))))
FROM (
  SELECT e.lane, e.locked_until, e.available_at
  FROM outbox_event e FORCE INDEX (outbox_event_pending)
  WHERE e.lane = ?1
  ORDER BY e.available_at, e.seq
  LIMIT ?2) p
HAVING COUNT(*) > 0)
