-- ?1 [event id] of each letter.
DELETE FROM outbox_dlq_event
WHERE event_id IN (SELECT value ->> 0 FROM json_each(?1))
RETURNING event_id
