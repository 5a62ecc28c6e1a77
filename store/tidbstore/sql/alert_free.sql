-- ?1 [alert] of each. Locks and returns them, or fails if it would have to wait.
SELECT a.alert_id
FROM outbox_alert a FORCE INDEX (PRIMARY)
WHERE a.alert_id IN (?1[0])
FOR UPDATE NOWAIT
