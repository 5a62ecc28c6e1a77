-- ?1 to ?9 as in dlq_where.sql, ?10 and ?11 the letter to start after or null, ?12
-- and ?13 the last one to look at or null, ?14 how many. A subquery finds
-- the letters in an index that has resolved_at: otherwise the servers, reading
-- backwards, would read each row before they skip it. Instead of the index of the
-- time, the one of a condition stands there where there is one.
-- include: dlq_columns
JOIN (
  SELECT /*+ NO_SKIP_SCAN(d) */ d.event_id, d.seq
  FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_died)
-- include: dlq_where
    AND (?10 IS NULL OR (d.died_at <= ?10 AND (d.died_at < ?10 OR d.event_id < ?11)))
    AND (?12 IS NULL OR (d.died_at >= ?12 AND (d.died_at > ?12 OR d.event_id >= ?13)))
  ORDER BY d.died_at DESC, d.event_id DESC
  LIMIT ?14) k ON k.event_id = d.event_id AND k.seq = d.seq
ORDER BY d.died_at DESC, d.event_id DESC
