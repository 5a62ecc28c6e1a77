-- ?1 [event id] of each. Returns those that were delivered.
SELECT event_id, headers
FROM outbox_event
WHERE status = 1 AND event_id IN (SELECT value ->> 0 FROM json_each(?1))
