-- Statements that carry the rows over to the new table, and with them what the
-- old one had of its own: columns, keys, indexes and triggers. Those of 1 come
-- last, so that no trigger runs for rows that are only moved.
WITH old AS (SELECT * FROM pragma_table_info('outbox_event')),
  known (name) AS (VALUES ('event_id'), ('event_type'), ('aggregate_type'), ('aggregate_id'), ('tenant_id'), ('correlation_id'),
    ('trace_id'), ('payload'), ('payload_bytes'), ('headers'), ('status'), ('attempts'), ('available_at'), ('occurred_at'),
    ('created_at'), ('done_at'), ('last_error'), ('failures'), ('locked_by')),
  quoted AS (SELECT cid, name, type, "notnull" AS needed, dflt_value, lower(name) AS word, '"' || replace(name, '"', '""') || '"' AS ident FROM old)
SELECT 0 AS late, 'ALTER TABLE outbox_event ADD COLUMN ' || ident || ' ' || type ||
  iif(needed, ' NOT NULL', '') || coalesce(' DEFAULT (' || dflt_value || ')', '') AS statement
FROM quoted WHERE word NOT IN (SELECT name FROM known)
UNION ALL
-- A lock of the old program is void.
SELECT 0, 'INSERT INTO outbox_event (' || group_concat(ident, ', ') || ') SELECT ' || group_concat(
    CASE
      WHEN word IN ('available_at', 'created_at') THEN 'coalesce(CASE typeof(' || ident || ') WHEN ''text'' THEN CAST(round(unixepoch(' || ident ||
        ', ''subsec'') * 1000) AS INTEGER) ELSE ' || ident || ' END, CAST(round(unixepoch(''subsec'') * 1000) AS INTEGER))'
      WHEN word IN ('done_at', 'occurred_at') THEN 'CASE' || iif(word = 'done_at', ' WHEN status <> 1 THEN NULL', '') || ' WHEN typeof(' || ident ||
        ') = ''text'' THEN CAST(round(unixepoch(' || ident || ', ''subsec'') * 1000) AS INTEGER) ELSE ' || ident || ' END'
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
