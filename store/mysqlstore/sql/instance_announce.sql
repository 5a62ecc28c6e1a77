-- ?1 owner, ?2 version, ?3 lanes, ?4 destinations and ?5 figures as JSON.
INSERT INTO outbox_instance (owner, version, lanes, destinations, figures, started_at, seen_at)
VALUES (?1, ?2, ?3, ?4, ?5, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE version = ?2, lanes = ?3, destinations = ?4, figures = ?5, seen_at = UTC_TIMESTAMP(6)
