-- Who holds the migration lock, and how to end that session. Without the
-- PROCESS right a user sees only the number of other users' connections.
SELECT CONCAT('connection ', h.id, COALESCE(CONCAT(' of ', p.user, ' at ', p.host, ', ',
    IF(p.command = 'Sleep', 'idle', 'at work'), ' for ', p.time, ' s'), '')),
  CONCAT('KILL ', h.id)
FROM (SELECT IS_USED_LOCK(SHA2(CONCAT('outbox ', IF(LOCATE('.', 'outbox_event'), '', CONCAT(DATABASE(), '.')), 'outbox_event'), 224)) AS id) h
LEFT JOIN information_schema.processlist p ON p.id = h.id
WHERE h.id IS NOT NULL
