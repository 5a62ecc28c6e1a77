-- $1 event ids. Locks and returns those that were delivered.
-- It skips events that another session has locked to replay, erase or sweep them:
-- waiting could lock an event after its replay, when a relay needs to settle it.
SELECT event_id, headers::text
FROM outbox_event
WHERE event_id = ANY ($1::text[]) AND status = 1
ORDER BY event_id
FOR UPDATE SKIP LOCKED
