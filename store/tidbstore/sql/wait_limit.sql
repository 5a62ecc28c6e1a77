-- ?1 how long to wait for a lock, in milliseconds; the servers wait for whole
-- seconds, and for one at least. The client decides how long a statement may
-- take: each server reads the comment that is written for it. The application
-- may use the connection too: wait_restore.sql restores it.
-- Unlike on MySQL there is no limit for a table: TiDB locks none, and is not known
-- to heed lock_wait_timeout.
SET @outbox_lock_wait = @@SESSION.innodb_lock_wait_timeout,
  SESSION innodb_lock_wait_timeout = CAST(GREATEST(?1 DIV 1000, 1) AS UNSIGNED)
  /*!80000 , @outbox_statement_time = @@SESSION.max_execution_time, SESSION max_execution_time = 0 */
  /*M!100600 , @outbox_statement_time = @@SESSION.max_statement_time, SESSION max_statement_time = 0 */
