-- Removes the reasons of groups without an unresolved letter, which may be what an
-- erased one said. Locking a row checks its time again: a group that just got a
-- letter keeps its reason. Groups are locked in the order of group_add.sql.
UPDATE outbox_dlq_group g
SET reason = ''
WHERE g.group_id = ANY (ARRAY(
    SELECT o.group_id FROM outbox_dlq_group o
    WHERE o.reason <> '' AND o.last_at < statement_timestamp()
      AND NOT EXISTS (SELECT FROM outbox_dlq_event d WHERE d.group_id = o.group_id AND d.resolved_at IS NULL)
    ORDER BY o.group_id FOR UPDATE))
