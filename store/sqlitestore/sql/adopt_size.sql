-- Rows of the event table, at most, and no size: there is no catalogue of them.
SELECT max(rowid), NULL FROM outbox_event
