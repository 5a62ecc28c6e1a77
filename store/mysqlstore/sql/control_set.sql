-- ?1 lane, ?2 paused, ?3 by whom. A row in that state keeps who changed it and
-- when: paused is set last, because what follows it would see the new value.
INSERT INTO outbox_control (lane, paused, changed_by, changed_at)
VALUES (?1, ?2, ?3, UTC_TIMESTAMP(6))
ON DUPLICATE KEY UPDATE
  changed_by = IF(paused = ?2, changed_by, ?3),
  changed_at = IF(paused = ?2, changed_at, UTC_TIMESTAMP(6)),
  paused = ?2
