-- For relations that have no system columns: views and partitioned tables.
-- include: insert_rows
ORDER BY n.ord
RETURNING event_id, seq, false
