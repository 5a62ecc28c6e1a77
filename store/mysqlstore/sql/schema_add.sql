-- ?1 version, ?2 name.
INSERT INTO outbox_schema (version, name, applied_at) VALUES (?1, ?2, UTC_TIMESTAMP(6))
