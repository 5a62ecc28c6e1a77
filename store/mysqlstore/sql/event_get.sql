-- ?1 event id.
-- include: event_columns
WHERE e.event_id = ?1
