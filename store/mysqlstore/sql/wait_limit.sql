-- ?1 how long to wait for a lock, in milliseconds; the servers wait for whole
-- seconds, and for one at least. ?2 how long to wait for a table: MySQL does not
-- notice there that its client is gone, and the session would stay. The client
-- decides how long a statement may take: each server reads the comment that is
-- written for it. The application may use the connection too: wait_restore.sql
-- restores it.
SET @outbox_lock_wait = @@SESSION.innodb_lock_wait_timeout,
  SESSION innodb_lock_wait_timeout = CAST(GREATEST(?1 DIV 1000, 1) AS UNSIGNED),
  @outbox_table_wait = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = CAST(?2 DIV 1000 + 1 AS UNSIGNED)
  /*!80000 , @outbox_statement_time = @@SESSION.max_execution_time, SESSION max_execution_time = 0 */
  /*M!100600 , @outbox_statement_time = @@SESSION.max_statement_time, SESSION max_statement_time = 0 */
