-- What keeps the event table from being adopted, and what to do about it. A
-- table that has all of our columns is half adopted, and must be finished. The
-- names are repeated because MariaDB otherwise reads about every table of the
-- server.
WITH event AS (
  SELECT t.table_type, (SELECT COUNT(*) FROM information_schema.columns ours
    WHERE ours.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
      AND ours.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
      AND ours.column_name IN ('seq', 'locked_until', 'claim_no', 'recovered', 'lane', 'payload_size')) = 6 AS begun
  FROM information_schema.tables t
  WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
), known AS (
  SELECT 1 AS n, 'event_id' AS name, TRUE AS needed
  UNION ALL SELECT 2, 'event_type', TRUE
  UNION ALL SELECT 3, 'payload', TRUE
  UNION ALL SELECT 4, 'status', TRUE
  UNION ALL SELECT 5, 'available_at', TRUE
  UNION ALL SELECT 6, 'created_at', TRUE
  UNION ALL SELECT 7, 'aggregate_type', FALSE
  UNION ALL SELECT 8, 'aggregate_id', FALSE
  UNION ALL SELECT 9, 'tenant_id', FALSE
  UNION ALL SELECT 10, 'correlation_id', FALSE
  UNION ALL SELECT 11, 'trace_id', FALSE
  UNION ALL SELECT 12, 'payload_bytes', FALSE
  UNION ALL SELECT 13, 'headers', FALSE
  UNION ALL SELECT 14, 'attempts', FALSE
  UNION ALL SELECT 15, 'occurred_at', FALSE
  UNION ALL SELECT 16, 'done_at', FALSE
  UNION ALL SELECT 17, 'last_error', FALSE
  UNION ALL SELECT 18, 'locked_by', FALSE
), ours AS (
  SELECT 'seq' AS name
  UNION ALL SELECT 'locked_until'
  UNION ALL SELECT 'claim_no'
  UNION ALL SELECT 'recovered'
  UNION ALL SELECT 'failures'
  UNION ALL SELECT 'lane'
  UNION ALL SELECT 'payload_size'
), has AS (
  SELECT c.column_name AS name, c.extra, c.is_nullable, c.column_default
  FROM information_schema.columns c
  WHERE c.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND c.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
)
SELECT 'it is not a table: rename it' AS what
FROM event WHERE table_type <> 'BASE TABLE'
UNION ALL
SELECT CONCAT('it has no column ', GROUP_CONCAT(known.name ORDER BY known.n SEPARATOR ', '),
  ', so it is not made with the specification''s DDL: rename it, and copy what is pending afterwards')
FROM known LEFT JOIN has ON has.name = known.name
WHERE known.needed AND has.name IS NULL
HAVING COUNT(*) > 0
UNION ALL
SELECT CONCAT('its column ', has.name, ' would have another meaning: rename it')
FROM has JOIN ours ON ours.name = has.name JOIN event
WHERE NOT event.begun
UNION ALL
SELECT CONCAT('its column ', has.name, ' is computed, and ours is written: make it an ordinary column')
FROM has JOIN known ON known.name = has.name
WHERE has.extra LIKE '%VIRTUAL%' OR has.extra LIKE '%STORED%'
UNION ALL
SELECT CONCAT('its column ', has.name, ' is NOT NULL without a default, and we would leave it out: give it a default')
FROM has LEFT JOIN known ON known.name = has.name LEFT JOIN ours ON ours.name = has.name
WHERE known.name IS NULL AND ours.name IS NULL AND has.is_nullable = 'NO' AND has.column_default IS NULL AND has.extra = ''
UNION ALL
SELECT 'its primary key is not event_id: make it the primary key'
FROM event
WHERE NOT begun AND COALESCE((SELECT GROUP_CONCAT(s.column_name) FROM information_schema.statistics s
  WHERE s.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND s.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND s.index_name = 'PRIMARY'), '') <> 'event_id'
UNION ALL
SELECT CONCAT('table ', k.table_schema, '.', k.table_name, ' has a foreign key to it, and events leave it once they are delivered or dead: ',
  'drop the key with ALTER TABLE ', k.table_schema, '.', k.table_name, ' DROP FOREIGN KEY ', k.constraint_name)
FROM information_schema.key_column_usage k
WHERE k.referenced_table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND k.referenced_table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND k.ordinal_position = 1
UNION ALL
SELECT CONCAT('its index ', s.index_name, ' has the name of an index that the outbox makes: rename it with ALTER TABLE ', s.table_name,
  ' RENAME INDEX ', s.index_name, ' TO another_name')
FROM information_schema.statistics s JOIN event
WHERE NOT event.begun AND s.seq_in_index = 1
  AND s.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND s.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
  AND s.index_name IN (CONCAT(SUBSTRING_INDEX('outbox_event', '.', -1), '_id'), CONCAT(SUBSTRING_INDEX('outbox_event', '.', -1), '_pending'))
