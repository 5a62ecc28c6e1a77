-- $1 event ids. A letter that is already resolved keeps its time.
UPDATE outbox_dlq_event d
SET resolved_at = coalesce(d.resolved_at, clock_timestamp())
WHERE d.event_id = ANY ($1::text[])
RETURNING d.event_id
