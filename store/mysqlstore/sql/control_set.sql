-- ?1 lane, ?2 paused, ?3 by whom.
INSERT INTO outbox_control (lane, paused, changed_by)
VALUES (?1, ?2, ?3)
ON DUPLICATE KEY UPDATE paused = ?2, changed_by = ?3, changed_at = UTC_TIMESTAMP(6)
