-- ?1 age, ?2 how many.
DELETE FROM outbox_dlq_group
WHERE group_id IN (
  SELECT g.group_id FROM outbox_dlq_group g
  WHERE g.last_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
    AND (g.muted_until IS NULL OR g.muted_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
    AND NOT EXISTS (SELECT 1 FROM outbox_dlq_event d WHERE d.group_id = g.group_id AND d.resolved_at IS NULL)
  ORDER BY g.last_at LIMIT ?2)
