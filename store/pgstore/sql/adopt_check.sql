-- Statements that look for rows of the event table that could not be kept. Each
-- returns what is wrong and what to do about it, or nothing. They skip the
-- values of a column whose type is wrong, or narrow enough.
WITH has AS (
  SELECT a.attname::text AS name, format_type(a.atttypid, a.atttypmod) AS type, t.typcategory::text AS kind,
    coalesce(nullif(t.typbasetype, 0), t.oid) AS base, a.attnotnull AS needed,
    CASE WHEN t.oid IN ('varchar'::regtype, 'bpchar'::regtype) AND a.atttypmod > 4 THEN a.atttypmod - 4 END AS fits
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = to_regclass('outbox_event') AND a.attnum > 0 AND NOT a.attisdropped
), class (word, kinds, bases, advice) AS (
  VALUES ('status', '{}'::text[], '{int2,int4,int8,numeric}'::regtype[]::oid[], 'make it a smallint of 0 (new), 1 (done), 2 (retry) and 3 (dead)'),
    ('count', '{}', '{int2,int4,int8,numeric}'::regtype[]::oid[], 'make it an int'),
    ('time', '{}', '{timestamp,timestamptz,date}'::regtype[]::oid[], 'make it a timestamptz'),
    ('id', '{S}', '{uuid,int2,int4,int8}'::regtype[]::oid[], 'make it a varchar'),
    ('text', '{S,E}', '{uuid,int2,int4,int8}'::regtype[]::oid[], 'make it a varchar'),
    ('JSON', '{S}', '{json,jsonb}'::regtype[]::oid[], 'make it json; a payload that is not JSON belongs into payload_bytes, beside a payload that is null'),
    ('bytes', '{}', '{bytea}'::regtype[]::oid[], 'make it bytea, or rename it')
), wanted (n, name, word, longest) AS (
  VALUES (1, 'event_id', 'id', 36), (2, 'event_type', 'text', NULL), (3, 'aggregate_type', 'text', 64), (4, 'aggregate_id', 'text', 128),
    (5, 'tenant_id', 'text', 64), (6, 'correlation_id', 'text', 128), (7, 'trace_id', 'text', 128), (8, 'payload', 'JSON', NULL),
    (9, 'payload_bytes', 'bytes', NULL), (10, 'headers', 'JSON', NULL), (11, 'status', 'status', NULL), (12, 'attempts', 'count', NULL),
    (13, 'available_at', 'time', NULL), (14, 'occurred_at', 'time', NULL), (15, 'created_at', 'time', NULL), (16, 'done_at', 'time', NULL),
    (17, 'last_error', 'text', NULL)
), found AS (
  SELECT w.n, h.*, w.word, w.longest, c.advice, h.kind = ANY (c.kinds) OR h.base = ANY (c.bases) AS fitting
  FROM wanted w JOIN has h ON h.name = w.name JOIN class c ON c.word = w.word
), wrong (n, name, problem, example, condition, advice) AS (
  SELECT n, name, 'is of type ' || type || ', whose values have no certain meaning here',
    CASE WHEN word IN ('JSON', 'bytes') THEN 'concat(''event '', event_id)' ELSE name || '::text' END, 'true', advice
  FROM found WHERE NOT fitting
  UNION ALL
  SELECT n, name, 'has more than ' || longest || ' characters', name || '::text', 'char_length(' || name || '::text) > ' || longest, 'shorten it'
  FROM found WHERE fitting AND kind <> 'N' AND type <> 'uuid' AND longest < coalesce(fits, longest + 1)
  UNION ALL
  SELECT n, name, 'is null, empty or has more than 128 characters', 'event_type::text',
    'event_type IS NULL OR char_length(event_type::text) NOT BETWEEN 1 AND 128', 'give the events a type, or delete them'
  FROM found WHERE fitting AND name = 'event_type'
  UNION ALL
  SELECT n, name, 'has values without a meaning here', 'status::text', 'status IS NULL OR status NOT IN (0, 1, 2, 3)',
    'set them to 0 (new), 1 (done), 2 (retry) or 3 (dead)'
  FROM found WHERE fitting AND name = 'status'
  UNION ALL
  SELECT n, name, 'has values that are no number of attempts', 'attempts::text',
    'attempts < 0 OR attempts >= 2147483647 OR attempts <> trunc(attempts)', 'set them to the number of failed attempts, or to 0'
  FROM found WHERE fitting AND name = 'attempts'
  UNION ALL
  SELECT p.n, p.name, CASE WHEN b.name IS NULL THEN 'is null' ELSE 'and payload_bytes are both null or both set' END,
    'concat(''event '', event_id)', CASE WHEN b.name IS NULL THEN 'payload IS NULL' ELSE '(payload IS NULL) = (payload_bytes IS NULL)' END,
    'set exactly one of payload and payload_bytes, or delete the events'
  FROM found p LEFT JOIN found b ON b.name = 'payload_bytes'
  WHERE p.name = 'payload' AND p.fitting AND coalesce(b.fitting, true) AND NOT (p.needed AND b.name IS NULL)
)
SELECT format('SELECT %L || count(*) || CASE WHEN count(*) > 0 THEN %L || coalesce(left(min(%s), 60), %L) ELSE %L END || %L FROM outbox_event WHERE %s%s',
  'its column ' || name || ' ' || problem || ' (rows: ', ', such as ', example, 'NULL', '', '): ' || advice,
  condition, CASE WHEN condition <> 'true' THEN ' HAVING count(*) > 0' ELSE '' END)
FROM wrong ORDER BY n
