-- $1 event ids. Locks and returns those that were delivered.
SELECT event_id, headers::text
FROM outbox_event
WHERE event_id = ANY ($1::text[]) AND status = 1
ORDER BY event_id
FOR UPDATE
