-- Ids that are already stored, even as dead letters, are left out and not
-- returned.
-- include: insert_rows
WHERE NOT EXISTS (SELECT FROM outbox_dlq_event d WHERE d.event_id = n.event_id)
ORDER BY n.ord
ON CONFLICT DO NOTHING
RETURNING event_id, seq, false
