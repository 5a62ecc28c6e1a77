-- ?1 seconds. The connection may be the business's, too: wait_restore.sql gives
-- it back as it was.
SET @outbox_lock_wait = @@SESSION.innodb_lock_wait_timeout,
  SESSION innodb_lock_wait_timeout = LEAST(@@SESSION.innodb_lock_wait_timeout, CAST(?1 AS UNSIGNED))
