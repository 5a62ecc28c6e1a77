-- Parameters as in dlq_delete.sql.
UPDATE outbox_dlq_event AS d
SET resolved_at = coalesce(resolved_at, CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
WHERE event_id IN (SELECT value ->> 0 FROM json_each(?1))
  AND EXISTS (SELECT 1 FROM json_each(?1) k
    WHERE k.value ->> 0 = d.event_id AND (k.value ->> 1 = 0 OR k.value ->> 1 = d.seq) AND (k.value ->> 2 = 0 OR d.resolved_at IS NULL))
RETURNING event_id, seq
