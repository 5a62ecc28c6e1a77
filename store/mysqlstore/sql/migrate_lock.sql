-- A transaction ends with the first DDL, so it is the connection that holds the
-- lock, one for each outbox.
SELECT GET_LOCK(SHA2(CONCAT('outbox ', IF(LOCATE('.', 'outbox_event'), '', CONCAT(DATABASE(), '.')), 'outbox_event'), 224), 0)
