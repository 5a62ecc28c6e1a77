-- $1 event ids.
DELETE FROM outbox_dlq_event d
WHERE d.event_id = ANY ($1::text[])
RETURNING d.event_id
