-- ?1 [event id, seq or 0, 1 if it must be open] of each letter.
DELETE FROM outbox_dlq_event AS d
WHERE event_id IN (SELECT value ->> 0 FROM json_each(?1))
  AND EXISTS (SELECT 1 FROM json_each(?1) k
    WHERE k.value ->> 0 = d.event_id AND (k.value ->> 1 = 0 OR k.value ->> 1 = d.seq) AND (k.value ->> 2 = 0 OR d.resolved_at IS NULL))
RETURNING event_id, seq
