-- What keeps the event table from being adopted, and what to do about it. A
-- table that has claim_no was begun with, and is to be finished.
SELECT 'it is not a table: rename it' AS what
FROM information_schema.tables t
WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND t.table_type <> 'BASE TABLE'
UNION ALL
SELECT CONCAT('it has no column ', GROUP_CONCAT(w.name ORDER BY w.n SEPARATOR ', '),
  ', so it is not made with the specification''s DDL: rename it, and copy what is pending afterwards')
FROM (
  SELECT 1 AS n, 'event_id' AS name
  UNION ALL SELECT 2, 'event_type'
  UNION ALL SELECT 3, 'payload'
  UNION ALL SELECT 4, 'status'
  UNION ALL SELECT 5, 'available_at'
  UNION ALL SELECT 6, 'created_at'
) w
LEFT JOIN information_schema.columns c
  ON c.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND c.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND c.column_name = w.name
WHERE c.column_name IS NULL
HAVING COUNT(*) > 0
UNION ALL
SELECT CONCAT('its column ', c.column_name, ' would have another meaning: rename it')
FROM information_schema.columns c
LEFT JOIN information_schema.columns ours
  ON ours.table_schema = c.table_schema AND ours.table_name = c.table_name AND ours.column_name = 'claim_no'
WHERE c.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND c.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
  AND c.column_name IN ('seq', 'locked_until', 'recovered', 'lane', 'payload_size') AND ours.column_name IS NULL
UNION ALL
SELECT 'its primary key is not event_id: make it the primary key'
FROM information_schema.tables t
LEFT JOIN information_schema.columns ours
  ON ours.table_schema = t.table_schema AND ours.table_name = t.table_name AND ours.column_name = 'claim_no'
WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND ours.column_name IS NULL
  AND COALESCE((SELECT GROUP_CONCAT(s.column_name) FROM information_schema.statistics s
    WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.index_name = 'PRIMARY'), '') <> 'event_id'
UNION ALL
SELECT CONCAT('table ', k.table_schema, '.', k.table_name, ' has a foreign key to it, and events leave it once they are delivered or dead: ',
  'drop the key with ALTER TABLE ', k.table_schema, '.', k.table_name, ' DROP FOREIGN KEY ', k.constraint_name)
FROM information_schema.key_column_usage k
WHERE k.referenced_table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND k.referenced_table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND k.ordinal_position = 1
