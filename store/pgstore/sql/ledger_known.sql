-- $1 event ids, $2 group.
SELECT event_id FROM outbox_consumed_event
WHERE consumer_group = $2::text AND event_id = ANY ($1::text[])
