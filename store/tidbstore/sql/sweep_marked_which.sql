-- ?1 how many. Letters that SQL has marked. It locks nothing: dlq_free.sql does.
SELECT event_id, seq
FROM outbox_dlq_event FORCE INDEX (outbox_dlq_event_status)
WHERE status IN ('TO_RETRY', 'RESOLVED')
LIMIT ?1
