-- Unlike on MySQL there is no limit for a table: TiDB locks none, and is not known
-- to heed lock_wait_timeout.
SET SESSION innodb_lock_wait_timeout = @outbox_lock_wait
  /*!80000 , SESSION max_execution_time = @outbox_statement_time */
  /*M!100600 , SESSION max_statement_time = @outbox_statement_time */
