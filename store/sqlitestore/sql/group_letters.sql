-- ?1 [event id, seq, group, destination] of each letter.
UPDATE outbox_dlq_event
SET group_id = k.value ->> 2, destination = k.value ->> 3
FROM json_each(?1) k
WHERE event_id = k.value ->> 0 AND seq = k.value ->> 1
