-- ?1 kind, ?2 name, ?3 paused, ?4 by whom. What is so already stays as it is:
-- paused is set last, because what follows it would see the new value.
INSERT INTO outbox_control (kind, name, paused, changed_by)
VALUES (?1, ?2, ?3, ?4)
ON DUPLICATE KEY UPDATE
  changed_by = IF(paused = ?3, changed_by, ?4),
  changed_at = IF(paused = ?3, changed_at, UTC_TIMESTAMP(6)),
  paused = ?3
