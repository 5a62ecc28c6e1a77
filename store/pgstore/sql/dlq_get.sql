-- $1 event id. An id that died twice has two letters; this returns the later
-- one.
-- include: dlq_columns
WHERE d.event_id = $1::text
ORDER BY d.seq DESC
LIMIT 1
