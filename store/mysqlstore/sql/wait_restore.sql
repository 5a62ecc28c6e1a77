SET SESSION innodb_lock_wait_timeout = @outbox_lock_wait
