-- A destination can be paused as well as a lane, which may have the same name;
-- and relays say how they see their destinations. Every statement may be
-- repeated: each table is altered at once, and only while its column is missing.

SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

SET @ob_database = IF(LOCATE('.', 'outbox_control'), SUBSTRING_INDEX('outbox_control', '.', 1), DATABASE()),
  @ob_table = SUBSTRING_INDEX('outbox_control', '.', -1);

SET @ob_alter = IF(EXISTS (SELECT 1 FROM information_schema.columns c
  WHERE c.table_schema = @ob_database AND c.table_name = @ob_table AND c.column_name = 'kind'),
  'DO 0',
  'ALTER TABLE outbox_control
    ADD COLUMN kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ''lane'' FIRST,
    CHANGE COLUMN lane name VARBINARY(2048) NOT NULL,
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (kind, name)');

PREPARE ob_alter FROM @ob_alter;

EXECUTE ob_alter;

DEALLOCATE PREPARE ob_alter;

SET @ob_database = IF(LOCATE('.', 'outbox_instance'), SUBSTRING_INDEX('outbox_instance', '.', 1), DATABASE()),
  @ob_table = SUBSTRING_INDEX('outbox_instance', '.', -1);

SET @ob_alter = IF(EXISTS (SELECT 1 FROM information_schema.columns c
  WHERE c.table_schema = @ob_database AND c.table_name = @ob_table AND c.column_name = 'destinations'),
  'DO 0',
  'ALTER TABLE outbox_instance ADD COLUMN destinations MEDIUMTEXT');

PREPARE ob_alter FROM @ob_alter;

EXECUTE ob_alter;

DEALLOCATE PREPARE ob_alter;

SET SESSION sql_mode = @ob_mode;
