-- What keeps the event table from being adopted, and what to do about it.
SELECT 'it is not a table: rename it'
FROM pg_class c
WHERE c.oid = to_regclass('outbox_event') AND c.relkind NOT IN ('r', 'p')
UNION ALL
SELECT 'it has no column ' || string_agg(w.name, ', ' ORDER BY w.n) ||
  ', so it is not made with the specification''s DDL: rename it, and copy what is pending afterwards'
FROM (VALUES (1, 'event_id'), (2, 'event_type'), (3, 'payload'), (4, 'status'), (5, 'available_at'), (6, 'created_at')) w(n, name)
WHERE NOT EXISTS (SELECT FROM pg_attribute a
  WHERE a.attrelid = to_regclass('outbox_event') AND a.attname = w.name AND NOT a.attisdropped)
HAVING count(*) > 0
UNION ALL
SELECT format('its column %s would have another meaning: rename it', a.attname)
FROM pg_attribute a
WHERE a.attrelid = to_regclass('outbox_event') AND a.attname IN ('seq', 'locked_until', 'claim_no', 'recovered', 'failures') AND NOT a.attisdropped
UNION ALL
SELECT format('its column %s is computed, and ours is written: make it an ordinary column', a.attname)
FROM pg_attribute a
WHERE a.attrelid = to_regclass('outbox_event') AND a.attgenerated <> '' AND NOT a.attisdropped
  AND a.attname IN ('event_id', 'event_type', 'aggregate_type', 'aggregate_id', 'tenant_id', 'correlation_id', 'trace_id', 'payload',
    'payload_bytes', 'headers', 'status', 'attempts', 'available_at', 'occurred_at', 'created_at', 'done_at', 'last_error', 'locked_by')
UNION ALL
SELECT format('its column %s is NOT NULL without a default, and we would leave it out: give it a default', a.attname)
FROM pg_attribute a
WHERE a.attrelid = to_regclass('outbox_event') AND a.attnum > 0 AND NOT a.attisdropped
  AND a.attnotnull AND NOT a.atthasdef AND a.attidentity = ''
  AND a.attname NOT IN ('event_id', 'event_type', 'aggregate_type', 'aggregate_id', 'tenant_id', 'correlation_id', 'trace_id', 'payload',
    'payload_bytes', 'headers', 'status', 'attempts', 'available_at', 'occurred_at', 'created_at', 'done_at', 'last_error', 'locked_by',
    'seq', 'locked_until', 'claim_no', 'recovered', 'failures')
UNION ALL
SELECT 'its primary key is not event_id: make it the primary key'
WHERE NOT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
  WHERE i.indrelid = to_regclass('outbox_event') AND i.indisprimary AND i.indnkeyatts = 1 AND a.attname = 'event_id')
UNION ALL
SELECT format('table %s has a foreign key to it, and events leave it once they are delivered or dead: drop the key with ALTER TABLE %s DROP CONSTRAINT %I',
  k.conrelid::regclass, k.conrelid::regclass, k.conname)
FROM pg_constraint k
WHERE k.contype = 'f' AND k.confrelid = to_regclass('outbox_event') AND k.conparentid = 0
UNION ALL
SELECT DISTINCT format('view %s uses columns whose types change: drop it, migrate, and create it again', r.ev_class::regclass)
FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = to_regclass('outbox_event')
  AND r.ev_class <> d.refobjid
  AND (a.attname IN ('event_id', 'event_type', 'payload', 'headers', 'status', 'attempts', 'available_at', 'created_at', 'done_at')
    OR format_type(a.atttypid, a.atttypmod) <> CASE
      WHEN a.attname IN ('aggregate_type', 'tenant_id') THEN 'character varying(64)'
      WHEN a.attname IN ('aggregate_id', 'correlation_id', 'trace_id', 'locked_by') THEN 'character varying(128)'
      WHEN a.attname = 'occurred_at' THEN 'timestamp with time zone'
      WHEN a.attname = 'last_error' THEN 'text' END)
UNION ALL
-- CREATE INDEX IF NOT EXISTS would take it for ours, and claims would have no
-- index.
SELECT format('%s %I.%I has the name of an index that the outbox makes: rename it with ALTER %s %I.%I RENAME TO another_name',
  t.kind, n.nspname, c.relname, upper(t.kind), n.nspname, c.relname)
FROM (VALUES (parse_ident('outbox_event'), '{pending,done,foreign_dead}'::text[], NULL::regclass),
  (parse_ident('outbox_dlq_event'), '{pkey,died,lane,resolved,status}', to_regclass('outbox_dlq_event')),
  (parse_ident('outbox_consumed_event'), '{pkey,age}', to_regclass('outbox_consumed_event')),
  (parse_ident('outbox_audit'), '{pkey}', to_regclass('outbox_audit')),
  (parse_ident('outbox_alert'), '{pkey}', to_regclass('outbox_alert')),
  (parse_ident('outbox_job'), '{pkey}', to_regclass('outbox_job')),
  (parse_ident('outbox_destination'), '{pkey}', to_regclass('outbox_destination'))) made(name, suffixes, own)
CROSS JOIN unnest(made.suffixes) suffix
JOIN pg_namespace n ON n.nspname = made.name[1]
JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = made.name[2] || '_' || suffix
LEFT JOIN pg_index i ON i.indexrelid = c.oid
CROSS JOIN LATERAL (SELECT CASE c.relkind WHEN 'S' THEN 'sequence' WHEN 'v' THEN 'view' WHEN 'r' THEN 'table' ELSE 'index' END) t(kind)
WHERE made.own IS NULL OR i.indrelid IS DISTINCT FROM made.own
UNION ALL
SELECT format('its constraint %I has the name of one that the outbox adds: rename it with ALTER TABLE %s RENAME CONSTRAINT %I TO another_name',
  k.conname, k.conrelid::regclass, k.conname)
FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
WHERE c.oid = to_regclass('outbox_event') AND k.conname = c.relname || '_one_payload'
