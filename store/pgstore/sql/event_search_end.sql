-- $1 the id to start after, $2 how many events to skip. Returns the one after them,
-- if there is one.
SELECT e.event_id, e.seq
FROM outbox_event e
WHERE e.event_id < $1::text
ORDER BY e.event_id DESC
LIMIT 1 OFFSET $2::int
