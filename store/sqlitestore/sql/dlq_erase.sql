-- Parameters as in dlq_delete.sql. Blanks letters, and resolves them.
UPDATE outbox_dlq_event
SET resolved_at = coalesce(resolved_at, CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  payload = iif(payload IS NULL, NULL, 'null'), payload_bytes = iif(payload_bytes IS NULL, NULL, x''),
  headers = '{"outbox_erased":"true"}', last_error = NULL, failures = NULL, note = NULL
WHERE (event_id, seq) IN (
  SELECT d.event_id, d.seq
  FROM json_each(?1) k CROSS JOIN outbox_dlq_event d ON d.event_id = k.value ->> 0
  WHERE (k.value ->> 1 = 0 OR k.value ->> 1 = d.seq) AND (k.value ->> 2 = 0 OR d.resolved_at IS NULL))
RETURNING event_id, seq
