-- ?1 [event id, seq or 0, 1 if it must be open] of each letter. The CROSS JOIN finds
-- the letters by key, one after the other.
DELETE FROM outbox_dlq_event
WHERE (event_id, seq) IN (
  SELECT d.event_id, d.seq
  FROM json_each(?1) k CROSS JOIN outbox_dlq_event d ON d.event_id = k.value ->> 0
  WHERE (k.value ->> 1 = 0 OR k.value ->> 1 = d.seq) AND (k.value ->> 2 = 0 OR d.resolved_at IS NULL))
RETURNING event_id, seq
