-- ?1 owner, ?2 version, ?3 lanes and ?4 destinations as JSON.
INSERT INTO outbox_instance (owner, version, lanes, destinations)
VALUES (?1, ?2, ?3, ?4)
ON DUPLICATE KEY UPDATE version = ?2, lanes = ?3, destinations = ?4, seen_at = UTC_TIMESTAMP(6)
