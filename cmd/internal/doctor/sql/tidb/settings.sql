SELECT 'tidb_restricted_read_only', @@GLOBAL.tidb_restricted_read_only
UNION ALL SELECT 'sql_mode', @@SESSION.sql_mode
UNION ALL SELECT 'time_zone', IF(ABS(TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW())) < 2, 'UTC', @@SESSION.time_zone)
