-- Removes the reasons of groups without an unresolved letter, which may be what an
-- erased one said.
UPDATE outbox_dlq_group
SET reason = ''
WHERE reason <> '' AND NOT EXISTS (SELECT 1 FROM outbox_dlq_event d WHERE d.group_id = outbox_dlq_group.group_id AND d.resolved_at IS NULL)
