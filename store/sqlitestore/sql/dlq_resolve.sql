-- ?1 [event id] of each letter.
UPDATE outbox_dlq_event
SET resolved_at = coalesce(resolved_at, CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
WHERE event_id IN (SELECT value ->> 0 FROM json_each(?1))
RETURNING event_id
