-- ?1 destination, ?2 paused, ?3 by whom. A row in that state keeps who changed it and when.
INSERT INTO outbox_destination AS c (destination, paused, changed_by)
VALUES (?1, ?2, ?3)
ON CONFLICT (destination) DO UPDATE
SET paused = excluded.paused, changed_by = excluded.changed_by, changed_at = excluded.changed_at
WHERE c.paused <> excluded.paused
