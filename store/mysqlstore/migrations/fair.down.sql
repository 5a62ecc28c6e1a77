SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

DROP INDEX outbox_event_fair ON outbox_event;

SET SESSION sql_mode = @ob_mode;
