-- ?1 within how many microseconds an instance was last seen.
SELECT owner, version, lanes, coalesce(destinations, '[]'), coalesce(figures, '{}'), started_at * 1000, seen_at * 1000
FROM outbox_instance
WHERE seen_at > CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
ORDER BY owner
