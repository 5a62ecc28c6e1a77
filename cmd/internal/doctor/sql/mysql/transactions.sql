-- What keeps the purge from removing row versions: who, for how many seconds, and
-- how to end it.
SELECT CONCAT('session ', t.trx_mysql_thread_id, COALESCE(CONCAT(' of ', p.user), '')), TIMESTAMPDIFF(SECOND, t.trx_started, NOW()), CONCAT('KILL ', t.trx_mysql_thread_id)
FROM information_schema.innodb_trx t LEFT JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
WHERE t.trx_mysql_thread_id <> CONNECTION_ID()
ORDER BY 2 DESC
LIMIT 100
