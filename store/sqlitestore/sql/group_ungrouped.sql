-- ?1 how many. Letters without a group. The order finds them in their index,
-- which has only these.
SELECT event_id, seq, event_type, last_error, failures
FROM outbox_dlq_event
WHERE group_id IS NULL
ORDER BY seq
LIMIT ?1
