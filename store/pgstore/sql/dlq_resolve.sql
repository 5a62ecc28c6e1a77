-- $1 event ids.
UPDATE outbox_dlq_event d
SET resolved_at = clock_timestamp()
WHERE d.event_id = ANY ($1::text[]) AND d.resolved_at IS NULL
RETURNING d.event_id
