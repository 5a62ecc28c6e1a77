SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

DELETE FROM outbox_control WHERE kind <> 'lane';

ALTER TABLE outbox_control
  DROP PRIMARY KEY,
  DROP COLUMN kind,
  CHANGE COLUMN name lane VARBINARY(512) NOT NULL,
  ADD PRIMARY KEY (lane);

ALTER TABLE outbox_instance DROP COLUMN destinations;

SET SESSION sql_mode = @ob_mode;
