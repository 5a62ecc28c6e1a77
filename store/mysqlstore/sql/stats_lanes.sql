-- ?1 lane, ?2 how many rows to look at, ?3 how many more to count. Returns the lane,
-- how many of the first rows wait and are held, how many rows follow, and the
-- microseconds since the earliest row not known to be held was due. An index can
-- count rows, but only the row itself says whether it is held.
(SELECT f.lane, f.free, f.held, r.n,
  TIMESTAMPDIFF(MICROSECOND, COALESCE(f.available_at, (
    SELECT e.available_at
    FROM outbox_event e FORCE INDEX (outbox_event_pending)
    WHERE e.lane = ?1
    ORDER BY e.available_at, e.seq
    LIMIT 1 OFFSET ?2)), UTC_TIMESTAMP(6))
FROM (
  SELECT MIN(p.lane) AS lane,
    COUNT(IF(p.locked_until > UTC_TIMESTAMP(6), NULL, 1)) AS free,
    COUNT(IF(p.locked_until > UTC_TIMESTAMP(6), 1, NULL)) AS held,
    MIN(IF(p.locked_until > UTC_TIMESTAMP(6), NULL, p.available_at)) AS available_at
  FROM (
    SELECT e.lane, e.locked_until, e.available_at
    FROM outbox_event e FORCE INDEX (outbox_event_pending)
    WHERE e.lane = ?1
    ORDER BY e.available_at, e.seq
    LIMIT ?2) p
  HAVING COUNT(*) > 0) f
CROSS JOIN (
  SELECT COUNT(*) AS n
  FROM (
    SELECT 1 FROM outbox_event e FORCE INDEX (outbox_event_pending) WHERE e.lane = ?1 LIMIT ?3 OFFSET ?2) q) r)
