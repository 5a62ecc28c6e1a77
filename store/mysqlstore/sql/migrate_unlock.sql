SELECT RELEASE_LOCK(SHA2(CONCAT('outbox ', IF(LOCATE('.', 'outbox_event'), '', CONCAT(DATABASE(), '.')), 'outbox_event'), 224))
