-- ?1 [event id] of each letter. Returns those that exist, and whether they can
-- go back: not while an event of that id is in the outbox.
SELECT DISTINCT d.event_id, NOT EXISTS (SELECT 1 FROM outbox_event e WHERE e.event_id = d.event_id)
FROM outbox_dlq_event d
WHERE d.event_id IN (SELECT value ->> 0 FROM json_each(?1))
