-- ?1 to ?9 as in dlq_where.sql, ?10 and ?11 the last letter to look at or null, ?12
-- where to stop counting. MySQL 8.0.15 loses whole groups when it skips through
-- outbox_dlq_event_group, hence the hint, here and in other statements; MariaDB has
-- no such scan and takes it for a comment.
SELECT COUNT(*) FROM (
  SELECT /*+ NO_SKIP_SCAN(d) */ 1 FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_died)
-- include: dlq_where
    AND (?10 IS NULL OR (d.died_at >= ?10 AND (d.died_at > ?10 OR d.event_id >= ?11)))
  LIMIT ?12) s
