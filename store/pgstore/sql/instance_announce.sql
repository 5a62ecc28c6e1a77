-- $1 owner, $2 version, $3 lanes, $4 destinations and $5 figures as JSON.
INSERT INTO outbox_instance (owner, version, lanes, destinations, figures)
VALUES ($1::text, $2::text, $3::text, $4::text, $5::text)
ON CONFLICT (owner) DO UPDATE
SET version = excluded.version, lanes = excluded.lanes, destinations = excluded.destinations,
  figures = excluded.figures, seen_at = clock_timestamp()
