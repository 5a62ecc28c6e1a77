-- ?1 owner, ?2 version, ?3 lanes as JSON.
INSERT INTO outbox_instance (owner, version, lanes)
VALUES (?1, ?2, ?3)
ON CONFLICT (owner) DO UPDATE
SET version = excluded.version, lanes = excluded.lanes, seen_at = excluded.seen_at
