-- ?1 event id, ?2 the seq to start before, ?3 how many.
-- include: dlq_columns
WHERE event_id = ?1 AND seq < ?2
ORDER BY seq DESC
LIMIT ?3
