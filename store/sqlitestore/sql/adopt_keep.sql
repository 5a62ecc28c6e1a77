-- Statements that carry the rows over to the new table, and with them what the
-- old one had of its own: columns, keys, indexes and triggers. Those of 1 come
-- last, so that no trigger runs for rows that are only moved.
WITH old AS (SELECT * FROM pragma_table_info('outbox_event')),
  known (name) AS (VALUES ('event_id'), ('event_type'), ('aggregate_type'), ('aggregate_id'), ('tenant_id'), ('correlation_id'),
    ('trace_id'), ('payload'), ('payload_bytes'), ('headers'), ('status'), ('attempts'), ('available_at'), ('occurred_at'),
    ('created_at'), ('done_at'), ('last_error'), ('locked_by')),
  quoted AS (SELECT cid, name, type, "notnull" AS needed, dflt_value, lower(name) AS word, '"' || replace(name, '"', '""') || '"' AS ident FROM old)
-- A default that is one word, quoted as a name or not at all, is text only while
-- it stands without parentheses.
SELECT 0 AS late, 'ALTER TABLE outbox_event ADD COLUMN ' || ident || ' ' || type || iif(needed, ' NOT NULL', '') ||
  coalesce(' DEFAULT ' || iif(substr(dflt_value, 1, 1) IN ('"', '[', '`') OR dflt_value NOT GLOB '*[^A-Za-z0-9_]*',
    dflt_value, '(' || dflt_value || ')'), '') AS statement
FROM quoted WHERE word NOT IN (SELECT name FROM known)
UNION ALL
-- What Go prints of a time, 2026-01-31 12:00:00.5 +0100 CET m=+0.1, becomes what
-- SQLite can read: 2026-01-31 12:00:00.5+01:00.
SELECT 0, 'UPDATE outbox_event_adopted SET ' || ident || ' = substr(' || ident || ', 1, 10 + instr(substr(' || ident || ', 12), '' '')) || substr(' ||
  ident || ', 12 + instr(substr(' || ident || ', 12), '' ''), 3) || '':'' || substr(' || ident || ', 15 + instr(substr(' || ident || ', 12), '' ''), 2)' ||
  ' WHERE typeof(' || ident || ') = ''text'' AND ' || ident || ' GLOB ''????-??-?? ??:??:??* [-+][0-9][0-9][0-9][0-9] *'''
FROM quoted WHERE word IN ('available_at', 'occurred_at', 'created_at', 'done_at')
UNION ALL
-- A lock of the old program is void. What was null and may not be gets the value
-- that it has by default.
SELECT 0, 'INSERT INTO outbox_event (' || group_concat(ident, ', ') || ') SELECT ' || group_concat(
    CASE
      WHEN word IN ('available_at', 'occurred_at', 'created_at', 'done_at') THEN 'coalesce(CAST(round(iif(typeof(' || ident ||
        ') = ''text'', unixepoch(' || ident || ', ''subsec'') * 1000, ' || ident || ')) AS INTEGER), ' ||
        iif(word IN ('available_at', 'created_at'), 'CAST(round(unixepoch(''subsec'') * 1000) AS INTEGER)', 'NULL') || ')'
      WHEN word = 'attempts' THEN 'coalesce(' || ident || ', 0)'
      ELSE ident
    END, ', ') || ' FROM outbox_event_adopted ORDER BY created_at, rowid'
FROM quoted WHERE word <> 'locked_by'
UNION ALL
SELECT 0, 'DROP TABLE outbox_event_adopted'
UNION ALL
SELECT 1, 'CREATE UNIQUE INDEX "' || 'outbox_event' || '_own_' || i.seq || '" ON outbox_event (' ||
  (SELECT group_concat('"' || replace(c.name, '"', '""') || '"', ', ') FROM pragma_index_info(i.name) c) || ')'
FROM pragma_index_list('outbox_event') i
WHERE i.origin = 'u' AND (SELECT group_concat(lower(c.name)) FROM pragma_index_info(i.name) c) <> 'event_id'
UNION ALL
SELECT 1, m.sql
FROM sqlite_schema m
WHERE lower(m.tbl_name) = lower('outbox_event') AND m.type IN ('index', 'trigger') AND m.sql IS NOT NULL
  AND lower(m.name) <> 'idx_status_available'
