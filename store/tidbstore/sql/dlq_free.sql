-- ?1 [event id, seq] of each letter. Locks and returns them, or fails if it would have
-- to wait.
SELECT d.event_id, d.seq
FROM outbox_dlq_event d FORCE INDEX (PRIMARY)
-- include: dlq_where_key
FOR UPDATE NOWAIT
