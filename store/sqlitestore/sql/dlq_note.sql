-- Parameters as in dlq_delete.sql, ?2 note or null, ?3 by whom.
UPDATE outbox_dlq_event
SET note = ?2, noted_by = ?3, noted_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER)
WHERE (event_id, seq) IN (
  SELECT d.event_id, d.seq
  FROM json_each(?1) k CROSS JOIN outbox_dlq_event d ON d.event_id = k.value ->> 0
  WHERE (k.value ->> 1 = 0 OR k.value ->> 1 = d.seq) AND (k.value ->> 2 = 0 OR d.resolved_at IS NULL))
RETURNING event_id, seq
