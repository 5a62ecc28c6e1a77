-- ?1 kind, ?2 name, ?3 paused, ?4 by whom. What is so already stays as it is.
INSERT INTO outbox_control AS c (kind, name, paused, changed_by)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (kind, name) DO UPDATE
SET paused = excluded.paused, changed_by = excluded.changed_by, changed_at = excluded.changed_at
WHERE c.paused <> excluded.paused
