-- ?1 to ?8 as in dlq_where.sql, ?9 and ?10 the last letter to look at or null, ?11
-- where to stop counting.
SELECT COUNT(*) FROM (
  SELECT 1 FROM outbox_dlq_event d IGNORE INDEX (outbox_dlq_event_resolved)
-- include: dlq_where
    AND (?9 IS NULL OR (d.died_at >= ?9 AND (d.died_at > ?9 OR d.event_id >= ?10)))
  LIMIT ?11) s
