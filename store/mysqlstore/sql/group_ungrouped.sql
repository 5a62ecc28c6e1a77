-- ?1 how many. Letters without a group, locked.
SELECT d.event_id, d.seq, d.event_type, d.last_error, d.failures
FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_group)
WHERE d.group_id IS NULL
LIMIT ?1
FOR UPDATE SKIP LOCKED
