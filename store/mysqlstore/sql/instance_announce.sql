-- ?1 owner, ?2 version, ?3 lanes as JSON.
INSERT INTO outbox_instance (owner, version, lanes)
VALUES (?1, ?2, ?3)
ON DUPLICATE KEY UPDATE version = ?2, lanes = ?3, seen_at = UTC_TIMESTAMP(6)
