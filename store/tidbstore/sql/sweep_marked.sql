-- ?1 [event id, seq] of each letter, which are locked by dlq_free.sql.
SELECT d.event_id, d.seq, d.status
FROM outbox_dlq_event d FORCE INDEX (PRIMARY)
-- include: dlq_where_key
  AND d.status IN ('TO_RETRY', 'RESOLVED')
