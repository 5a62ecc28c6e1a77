-- Removes the reasons of groups without an unresolved letter, which may be what an
-- erased one said. A group that just got a letter keeps its reason. The limit keeps the
-- derived table apart from the one that is changed. NOT EXISTS would become a join with
-- all letters.
UPDATE outbox_dlq_group g
JOIN (
  SELECT o.group_id FROM outbox_dlq_group o
  WHERE o.reason <> ''
    AND (SELECT 1 FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group) WHERE d.group_id = o.group_id AND d.resolved_at IS NULL LIMIT 1) IS NULL
  ORDER BY o.group_id LIMIT 100000) s ON s.group_id = g.group_id
SET g.reason = ''
WHERE g.last_at < UTC_TIMESTAMP(6)
