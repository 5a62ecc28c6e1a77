-- A table made with the specification's DDL becomes ours, with its rows and
-- whatever other columns it has. Every statement may be repeated: a column that
-- is there is changed, one that is missing is added.

SET @ob_mode = @@SESSION.sql_mode, @ob_concat = @@SESSION.group_concat_max_len, @ob_zone = @@SESSION.time_zone;

-- A TIMESTAMP becomes a DATETIME as the session's zone shows it.
SET SESSION sql_mode = 'STRICT_ALL_TABLES', SESSION group_concat_max_len = 100000, SESSION time_zone = '+00:00';

SET @ob_database = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE()),
  @ob_table = SUBSTRING_INDEX('outbox_event', '.', -1);

-- What was null and may not be gets the value that it has by default; without a
-- fraction, which a column of seconds would round up to a moment to come.
UPDATE outbox_event SET available_at = UTC_TIMESTAMP() WHERE available_at IS NULL;

UPDATE outbox_event SET created_at = UTC_TIMESTAMP() WHERE created_at IS NULL;

SET @ob_attempts = IF(EXISTS (SELECT 1 FROM information_schema.columns c
  WHERE c.table_schema = @ob_database AND c.table_name = @ob_table AND c.column_name = 'attempts'),
  'UPDATE outbox_event SET attempts = 0 WHERE attempts IS NULL', 'DO 0');

PREPARE ob_attempts FROM @ob_attempts;

EXECUTE ob_attempts;

DEALLOCATE PREPARE ob_attempts;

-- The rows are numbered in the order of the old key. The index of a poller that
-- reads by status would be written on every settle.
SET @ob_alter = CONCAT('ALTER TABLE outbox_event ', (
  SELECT GROUP_CONCAT(
    IF(c.column_name IS NULL, 'ADD COLUMN ', 'MODIFY COLUMN '), w.name, ' ', w.definition,
    IF(c.column_name IS NULL, w.added, '') ORDER BY w.n SEPARATOR ', ')
  FROM (
    SELECT 1 AS n, 'seq' AS name, 'BIGINT NOT NULL AUTO_INCREMENT' AS definition,
      ' FIRST, DROP PRIMARY KEY, ADD PRIMARY KEY (seq), ADD UNIQUE KEY outbox_event_id (event_id)' AS added
    UNION ALL SELECT 2, 'event_id', 'VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL', ''
    UNION ALL SELECT 3, 'event_type', 'VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL', ''
    UNION ALL SELECT 4, 'aggregate_type', 'VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT ''__GLOBAL__''', ''
    UNION ALL SELECT 5, 'aggregate_id', 'VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 6, 'tenant_id', 'VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 7, 'correlation_id', 'VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 8, 'trace_id', 'VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 9, 'payload', 'LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 10, 'payload_bytes', 'LONGBLOB', ''
    UNION ALL SELECT 11, 'headers', 'LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 12, 'status', 'TINYINT NOT NULL DEFAULT 0', ''
    UNION ALL SELECT 13, 'attempts', 'INT NOT NULL DEFAULT 0', ''
    UNION ALL SELECT 14, 'available_at', 'DATETIME(6) NOT NULL', ''
    UNION ALL SELECT 15, 'occurred_at', 'DATETIME(6)', ''
    UNION ALL SELECT 16, 'created_at', 'DATETIME(6) NOT NULL', ''
    UNION ALL SELECT 17, 'done_at', 'DATETIME(6)', ''
    UNION ALL SELECT 18, 'last_error', 'TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 19, 'failures', 'MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 20, 'locked_by', 'VARCHAR(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', ''
    UNION ALL SELECT 21, 'locked_until', 'DATETIME(6)', ''
    UNION ALL SELECT 22, 'claim_no', 'BIGINT NOT NULL DEFAULT 0', ''
    UNION ALL SELECT 23, 'recovered', 'INT NOT NULL DEFAULT 0', ''
    UNION ALL SELECT 24, 'payload_size', 'INT GENERATED ALWAYS AS (COALESCE(LENGTH(payload), LENGTH(payload_bytes), 0)) STORED', ''
    UNION ALL SELECT 25, 'lane', CONCAT('VARBINARY(512) GENERATED ALWAYS AS (CASE WHEN status IN (0, 2) ',
      'THEN CAST(event_type AS BINARY) WHEN status = 1 THEN NULL ELSE '''' END) STORED'),
      CONCAT(', ADD KEY outbox_event_pending (lane, available_at, seq), ',
        'ADD CONSTRAINT outbox_event_one_payload CHECK ((payload IS NULL) <> (payload_bytes IS NULL))')
  ) w
  LEFT JOIN information_schema.columns c
    ON c.table_schema = @ob_database AND c.table_name = @ob_table AND c.column_name = w.name),
  IF(EXISTS (SELECT 1 FROM information_schema.statistics s
    WHERE s.table_schema = @ob_database AND s.table_name = @ob_table AND s.index_name = 'idx_status_available'),
    ', DROP KEY idx_status_available', ''),
  ', ENGINE = InnoDB, DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin');

PREPARE ob_alter FROM @ob_alter;

EXECUTE ob_alter;

DEALLOCATE PREPARE ob_alter;

-- Whoever had claimed rows under the old rules is gone.
UPDATE outbox_event SET locked_by = NULL WHERE locked_by IS NOT NULL AND claim_no = 0;

-- The sweep looks for what is done by the moment that stands in available_at,
-- assigned here after the one that it is.
UPDATE outbox_event SET done_at = COALESCE(done_at, UTC_TIMESTAMP(6)), available_at = GREATEST(available_at, done_at)
WHERE lane IS NULL AND (done_at IS NULL OR available_at < done_at);

-- By itself, because a default that differs from row to row is refused where rows
-- are rewritten; and last, because its absence is the sign of a table to adopt.
ALTER TABLE outbox_event
  ALTER COLUMN available_at SET DEFAULT (UTC_TIMESTAMP(6)),
  ALTER COLUMN created_at SET DEFAULT (UTC_TIMESTAMP(6)),
  ALTER COLUMN event_id SET DEFAULT (UUID());

SET SESSION sql_mode = @ob_mode, SESSION group_concat_max_len = @ob_concat, SESSION time_zone = @ob_zone;
