-- ?1 [group, event id] of each, all of one group. Locks and returns them, or fails if it
-- would have to wait.
SELECT e.event_id
FROM outbox_consumed_event e FORCE INDEX (PRIMARY)
WHERE e.consumer_group IN (?1[0]) AND e.event_id IN (?1[1])
FOR UPDATE NOWAIT
