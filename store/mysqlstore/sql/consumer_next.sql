-- ?1 the group to start after.
SELECT consumer_group
FROM outbox_consumed_event
WHERE consumer_group > CONVERT(?1 USING ascii)
ORDER BY consumer_group
LIMIT 1
