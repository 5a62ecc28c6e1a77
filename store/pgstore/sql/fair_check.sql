-- Whether the index of migrations/fair.up.sql exists, and whether it is valid: one
-- whose concurrent creation was interrupted is not.
SELECT count(*) > 0, coalesce(bool_and(i.indisvalid), false)
FROM pg_index i
JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass('outbox_event') AND c.relname = trim(BOTH '"' FROM 'outbox_event_fair')
