-- $1 how many. Letters that SQL has marked, locked.
SELECT event_id, seq, status
FROM outbox_dlq_event
WHERE status IN ('TO_RETRY', 'RESOLVED')
ORDER BY event_id, seq
LIMIT $1::int
FOR UPDATE SKIP LOCKED
