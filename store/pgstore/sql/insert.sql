-- The last column is true if no savepoint can roll the row back: inside one the
-- row's creator is a subtransaction, with a number of its own.
-- include: insert_rows
ORDER BY n.ord
RETURNING event_id, seq, xmin::text = pg_current_xact_id()::xid::text
