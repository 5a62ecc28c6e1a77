-- ?1 version, ?2 name.
INSERT INTO outbox_schema (version, name) VALUES (?1, ?2)
