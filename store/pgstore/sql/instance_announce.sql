-- $1 owner, $2 version, $3 lanes and $4 destinations as JSON.
INSERT INTO outbox_instance (owner, version, lanes, destinations)
VALUES ($1::text, $2::text, $3::text, $4::text)
ON CONFLICT (owner) DO UPDATE
SET version = excluded.version, lanes = excluded.lanes, destinations = excluded.destinations, seen_at = clock_timestamp()
