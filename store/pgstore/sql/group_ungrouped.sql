-- $1 how many. Letters without a group, locked. The order finds them in their
-- index, which has only these.
SELECT d.event_id, d.seq, d.event_type, d.last_error, d.failures
FROM outbox_dlq_event d
WHERE d.group_id IS NULL
ORDER BY d.seq
LIMIT $1::int
FOR UPDATE SKIP LOCKED
