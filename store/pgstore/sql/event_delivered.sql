-- $1 event ids. Locks and returns those that were delivered.
-- One that somebody else has locked is being replayed, erased or swept: to wait for
-- it would lock it when it waits for a relay, which could not settle it then.
SELECT event_id, headers::text
FROM outbox_event
WHERE event_id = ANY ($1::text[]) AND status = 1
ORDER BY event_id
FOR UPDATE SKIP LOCKED
