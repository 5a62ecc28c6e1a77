-- Each server reads the comment that is written for it. The format of the binary
-- log matters only if there is one.
SELECT 'read_only', @@GLOBAL.read_only
UNION ALL SELECT 'binlog_format', IF(@@GLOBAL.log_bin, @@SESSION.binlog_format, 'no binary log')
UNION ALL SELECT 'sql_mode', @@SESSION.sql_mode
UNION ALL SELECT 'innodb_flush_log_at_trx_commit', @@GLOBAL.innodb_flush_log_at_trx_commit
UNION ALL SELECT 'transaction_isolation', /*!80000 @@SESSION.transaction_isolation */ /*M!100600 @@SESSION.tx_isolation */
UNION ALL SELECT 'max_allowed_packet', @@GLOBAL.max_allowed_packet
