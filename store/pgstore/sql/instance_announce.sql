-- $1 owner, $2 version, $3 lanes as JSON.
INSERT INTO outbox_instance (owner, version, lanes)
VALUES ($1::text, $2::text, $3::text)
ON CONFLICT (owner) DO UPDATE
SET version = excluded.version, lanes = excluded.lanes, seen_at = clock_timestamp()
