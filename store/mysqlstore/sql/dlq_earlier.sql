-- ?1 event id, ?2 the seq to start before, ?3 how many.
-- include: dlq_columns
WHERE d.event_id = ?1 AND d.seq < ?2
ORDER BY d.seq DESC
LIMIT ?3
