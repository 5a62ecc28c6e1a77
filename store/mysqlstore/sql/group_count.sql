-- ?1 group, ?2 where to stop counting. The group and its unresolved letters.
(SELECT MIN(s.group_id), COUNT(*)
FROM (
  SELECT d.group_id
  FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group)
  WHERE d.group_id = ?1 AND d.resolved_at IS NULL
  LIMIT ?2) s
HAVING COUNT(*) > 0)
