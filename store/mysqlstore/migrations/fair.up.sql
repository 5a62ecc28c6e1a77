-- The index for fair claims. It belongs to no version of the schema: it is created
-- only on request. A claim changes none of its columns. MySQL 8.0.15 can change the
-- table only in this mode.

SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

CREATE INDEX outbox_event_fair ON outbox_event (lane, tenant_id, available_at, seq);

SET SESSION sql_mode = @ob_mode;
