-- Parameters as in dlq_replay.sql. Blanks letters, and resolves them.
UPDATE outbox_dlq_event d
SET resolved_at = coalesce(d.resolved_at, clock_timestamp()),
  payload = CASE WHEN d.payload IS NOT NULL THEN 'null'::json END, payload_bytes = CASE WHEN d.payload_bytes IS NOT NULL THEN ''::bytea END,
  headers = '{"outbox_erased":"true"}', last_error = NULL, failures = NULL, note = NULL
FROM unnest($1::text[], $2::bigint[], $3::bigint[]) k(event_id, seq, open)
WHERE d.event_id = k.event_id AND (k.seq = 0 OR d.seq = k.seq) AND (k.open = 0 OR d.resolved_at IS NULL)
RETURNING d.event_id, d.seq
