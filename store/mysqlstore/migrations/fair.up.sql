-- The index of fair claims. It is no version of the schema: only those have it who
-- asked for it. A claim changes none of its columns. MySQL 8.0.15 can change the
-- table only in such a mode.

SET @ob_mode = @@SESSION.sql_mode;

SET SESSION sql_mode = 'STRICT_ALL_TABLES';

CREATE INDEX outbox_event_fair ON outbox_event (lane, tenant_id, available_at, seq);

SET SESSION sql_mode = @ob_mode;
