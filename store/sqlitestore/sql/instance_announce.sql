-- ?1 owner, ?2 version, ?3 lanes and ?4 destinations as JSON.
INSERT INTO outbox_instance (owner, version, lanes, destinations)
VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (owner) DO UPDATE
SET version = excluded.version, lanes = excluded.lanes, destinations = excluded.destinations, seen_at = excluded.seen_at
