-- ?1 to ?8 as in dlq_where.sql, ?9 and ?10 the letter to start after or null, ?11
-- and ?12 the last one to look at or null, ?13 how many. A subquery finds
-- the letters in an index that has resolved_at: otherwise the servers, reading
-- backwards, would read each row before they skip it. Instead of the index of the
-- time, the one of a condition stands there where there is one.
-- include: dlq_columns
JOIN (
  SELECT /*+ NO_SKIP_SCAN(d) */ d.event_id, d.seq
  FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_died)
-- include: dlq_where
    AND (?9 IS NULL OR (d.died_at <= ?9 AND (d.died_at < ?9 OR d.event_id < ?10)))
    AND (?11 IS NULL OR (d.died_at >= ?11 AND (d.died_at > ?11 OR d.event_id >= ?12)))
  ORDER BY d.died_at DESC, d.event_id DESC
  LIMIT ?13) k ON k.event_id = d.event_id AND k.seq = d.seq
ORDER BY d.died_at DESC, d.event_id DESC
