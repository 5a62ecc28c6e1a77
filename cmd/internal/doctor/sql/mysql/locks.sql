-- Sessions that wait for a row or for the table: who, for how many seconds, on
-- what, and for whom. Those of other databases, whose tables may have the same
-- names, name this one if they mean it.
SELECT CONCAT('session ', t.trx_mysql_thread_id), TIMESTAMPDIFF(SECOND, t.trx_wait_started, NOW()), LEFT(t.trx_query, 60), 'a locked row'
FROM information_schema.innodb_trx t JOIN information_schema.processlist s ON s.id = t.trx_mysql_thread_id
WHERE t.trx_state = 'LOCK WAIT'
  AND (s.db IN (DATABASE(), SUBSTRING_INDEX('outbox_event', '.', 1)) OR t.trx_query LIKE CONCAT('%', DATABASE(), '%'))
  AND (t.trx_query LIKE CONCAT('%', SUBSTRING_INDEX('outbox_event', '.', -1), '%')
  OR t.trx_query LIKE CONCAT('%', SUBSTRING_INDEX('outbox_dlq_event', '.', -1), '%')
  OR t.trx_query LIKE CONCAT('%', SUBSTRING_INDEX('outbox_consumed_event', '.', -1), '%'))
UNION ALL
SELECT CONCAT('session ', p.id), p.time, LEFT(p.info, 60), 'whoever changes the table'
FROM information_schema.processlist p
WHERE p.state LIKE 'Waiting for table%lock'
  AND (p.db IN (DATABASE(), SUBSTRING_INDEX('outbox_event', '.', 1)) OR p.info LIKE CONCAT('%', DATABASE(), '%'))
  AND (p.info LIKE CONCAT('%', SUBSTRING_INDEX('outbox_event', '.', -1), '%')
  OR p.info LIKE CONCAT('%', SUBSTRING_INDEX('outbox_dlq_event', '.', -1), '%')
  OR p.info LIKE CONCAT('%', SUBSTRING_INDEX('outbox_consumed_event', '.', -1), '%'))
LIMIT 100
