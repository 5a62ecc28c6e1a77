-- ?1 how many. Letters that SQL has marked, locked.
SELECT event_id, seq, status
FROM outbox_dlq_event FORCE INDEX (outbox_dlq_event_status)
WHERE status IN ('TO_RETRY', 'RESOLVED')
LIMIT ?1
FOR UPDATE SKIP LOCKED
