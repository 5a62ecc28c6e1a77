-- ?1 version.
DELETE FROM outbox_schema WHERE version = ?1
