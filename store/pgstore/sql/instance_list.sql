-- $1 within how many microseconds an instance was last seen.
SELECT owner, version, lanes, coalesce(destinations, '[]'), coalesce(figures, '{}'), started_at, seen_at
FROM outbox_instance
WHERE seen_at > clock_timestamp() - $1::bigint * interval '1 microsecond'
ORDER BY owner
