-- What keeps the event table from being adopted, and what to do about it. Only
-- the table's columns, indexes and triggers can be recreated.
WITH old AS (SELECT * FROM pragma_table_xinfo('outbox_event')),
  known (name) AS (VALUES ('event_id'), ('event_type'), ('aggregate_type'), ('aggregate_id'), ('tenant_id'), ('correlation_id'),
    ('trace_id'), ('payload'), ('payload_bytes'), ('headers'), ('status'), ('attempts'), ('available_at'), ('occurred_at'),
    ('created_at'), ('done_at'), ('last_error'), ('locked_by'), ('seq'), ('locked_until'), ('claim_no'), ('recovered'), ('failures')),
  made AS (SELECT type, upper(sql) || ' ' AS sql FROM sqlite_schema WHERE lower(name) = lower('outbox_event') AND type IN ('table', 'view'))
SELECT 'it is not a table: rename it' FROM made WHERE type <> 'table'
UNION ALL
SELECT 'it has no column ' || group_concat(name, ', ') ||
  ', so it is not made with the specification''s DDL: rename it, and copy what is pending afterwards'
FROM (SELECT column1 AS name FROM (VALUES ('event_id'), ('event_type'), ('payload'), ('status'), ('available_at'), ('created_at'))
  WHERE column1 NOT IN (SELECT lower(name) FROM old))
HAVING count(*) > 0
UNION ALL
SELECT 'its column ' || name || ' would have another meaning: rename it'
FROM old WHERE lower(name) IN ('seq', 'locked_until', 'claim_no', 'recovered', 'failures')
UNION ALL
SELECT 'its column ' || name || ' is NOT NULL without a default, and we would leave it out: give it a default'
FROM old WHERE "notnull" AND dflt_value IS NULL AND hidden = 0 AND lower(name) NOT IN (SELECT name FROM known)
UNION ALL
SELECT 'its primary key is not event_id: make it the primary key'
WHERE EXISTS (SELECT 1 FROM made WHERE type = 'table') AND (SELECT group_concat(lower(name)) FROM old WHERE pk > 0) IS NOT 'event_id'
UNION ALL
SELECT 'its column ' || name || ' is computed, which would be lost: drop it, migrate, and add it again'
FROM old WHERE hidden <> 0
UNION ALL
SELECT 'it has a ' || w.what || ', which would be lost: make the table again without'
FROM made, (
  SELECT '*[^A-Z0-9_]CHECK[^A-Z0-9_]*' AS sign, 'CHECK constraint' AS what
  UNION ALL SELECT '*[^A-Z0-9_]COLLATE[^A-Z0-9_]*', 'collation of its own'
  UNION ALL SELECT '*[^A-Z0-9_]CONFLICT[^A-Z0-9_]*', 'conflict clause'
) w
WHERE made.type = 'table' AND made.sql GLOB w.sign
UNION ALL
SELECT 'it is ' || iif(strict, 'STRICT', 'WITHOUT ROWID') || ', which would be lost: make the table again without'
FROM pragma_table_list('outbox_event') WHERE schema = 'main' AND (strict OR wr)
UNION ALL
SELECT DISTINCT 'it has a foreign key to ' || "table" || ', which would be lost: make the table again without'
FROM pragma_foreign_key_list('outbox_event')
UNION ALL
SELECT DISTINCT 'table ' || m.name || ' has a foreign key to it, and events leave it once they are delivered or dead: ' ||
  'drop that table, or make it again without the key'
FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) k
WHERE m.type = 'table' AND lower(k."table") = lower('outbox_event')
UNION ALL
-- CREATE INDEX IF NOT EXISTS would take it for ours, and claims would have no
-- index.
SELECT type || ' ' || name || iif(type = 'index', ' of table ' || tbl_name, '') || ' has the name of an index that the outbox makes: ' ||
  'drop it, and make it again under another name'
FROM sqlite_schema, (
  SELECT lower('outbox_event') AS made, '' AS own, column1 AS suffix FROM (VALUES ('_pending'), ('_done'), ('_foreign_dead'), ('_foreign_times'))
  UNION ALL SELECT lower('outbox_dlq_event'), lower('outbox_dlq_event'), column1 FROM (VALUES ('_died'), ('_lane'), ('_resolved'), ('_status'))
  UNION ALL SELECT lower('outbox_consumed_event'), lower('outbox_consumed_event'), '_age'
)
WHERE lower(name) = made || suffix AND lower(tbl_name) <> own
