-- In milliseconds; 0 is no limit. Each server reads the comment that is written
-- for it.
SELECT 'innodb_lock_wait_timeout', @@SESSION.innodb_lock_wait_timeout * 1000
UNION ALL SELECT 'lock_wait_timeout', @@SESSION.lock_wait_timeout * 1000
UNION ALL SELECT 'wait_timeout', @@SESSION.wait_timeout * 1000
/*!80000 UNION ALL SELECT 'max_execution_time', @@SESSION.max_execution_time */
/*M!100600 UNION ALL SELECT 'max_statement_time', @@SESSION.max_statement_time * 1000 */
