-- An upper bound on the rows of the event table, and no size: SQLite has no
-- catalog of them.
SELECT max(rowid), NULL FROM outbox_event
