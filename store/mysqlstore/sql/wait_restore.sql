SET SESSION innodb_lock_wait_timeout = @outbox_lock_wait, SESSION lock_wait_timeout = @outbox_table_wait
  /*!80000 , SESSION max_execution_time = @outbox_statement_time */
  /*M!100600 , SESSION max_statement_time = @outbox_statement_time */
