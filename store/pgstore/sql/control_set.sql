-- $1 lane, $2 paused, $3 by whom. A row in that state keeps who changed it and when.
INSERT INTO outbox_control AS c (lane, paused, changed_by)
VALUES ($1::text, $2::boolean, $3::text)
ON CONFLICT (lane) DO UPDATE
SET paused = excluded.paused, changed_by = excluded.changed_by, changed_at = clock_timestamp()
WHERE c.paused <> excluded.paused
