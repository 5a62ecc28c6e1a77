-- ?1 [group] of each, ?2 where to stop counting. Unresolved letters of each.
SELECT k.value ->> 0, (
  SELECT count(*) FROM (
    SELECT 1 FROM outbox_dlq_event d
    WHERE d.group_id = k.value ->> 0 AND d.resolved_at IS NULL
    LIMIT ?2))
FROM json_each(?1) k
