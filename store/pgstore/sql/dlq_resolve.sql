-- $1 event ids. What was resolved before keeps its moment.
UPDATE outbox_dlq_event d
SET resolved_at = coalesce(d.resolved_at, clock_timestamp())
WHERE d.event_id = ANY ($1::text[])
RETURNING d.event_id
