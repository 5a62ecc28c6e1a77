DROP TABLE IF EXISTS outbox_destination;

SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

ALTER TABLE outbox_instance DROP COLUMN destinations;

SET SESSION sql_mode = @ob_mode;
