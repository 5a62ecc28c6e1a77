-- ?1 [event id] of each. Returns those that the outbox has.
SELECT e.event_id
FROM json_each(?1) h CROSS JOIN outbox_event e
WHERE e.event_id = h.value ->> 0
