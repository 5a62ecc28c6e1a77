-- $1 channel, $2 lanes.
SELECT pg_notify($1::text, $2::text)
