-- $1 the group to start after.
SELECT consumer_group
FROM outbox_consumed_event
WHERE consumer_group > $1::text
ORDER BY consumer_group
LIMIT 1
