-- Who holds the lock of migrations, and how to end that. Without the right
-- PROCESS a user sees its own connections, and of others the number alone.
SELECT CONCAT('connection ', h.id, COALESCE(CONCAT(' of ', p.user, ' at ', p.host, ', ',
    IF(p.command = 'Sleep', 'idle', 'at work'), ' for ', p.time, ' s'), '')),
  CONCAT('KILL ', h.id)
FROM (SELECT IS_USED_LOCK(SHA2(CONCAT('outbox ', IF(LOCATE('.', 'outbox_event'), '', CONCAT(DATABASE(), '.')), 'outbox_event'), 224)) AS id) h
LEFT JOIN information_schema.processlist p ON p.id = h.id
WHERE h.id IS NOT NULL
