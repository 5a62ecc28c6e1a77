-- Destinations that people have paused, apart from lanes, which may have the same
-- names; and how relays see their destinations. Every statement may be repeated.

CREATE TABLE IF NOT EXISTS outbox_destination (
  destination VARBINARY(2048) NOT NULL,
  paused      TINYINT         NOT NULL,
  changed_by  TEXT            NOT NULL,
  changed_at  DATETIME(6)     NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  PRIMARY KEY (destination)
) ENGINE = InnoDB, CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;

SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

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
