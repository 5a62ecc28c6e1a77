-- ?1 [group] of each. Locks and returns them, or fails if it would have to wait.
SELECT g.group_id
FROM outbox_dlq_group g FORCE INDEX (PRIMARY)
WHERE g.group_id IN (?1[0])
FOR UPDATE NOWAIT
