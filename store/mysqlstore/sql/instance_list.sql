-- ?1 within how many microseconds an instance was last seen.
SELECT owner, version, lanes, coalesce(destinations, '[]'), coalesce(figures, '{}'), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', started_at), TIMESTAMPDIFF(MICROSECOND, '1970-01-01', seen_at)
FROM outbox_instance
WHERE seen_at > UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY owner
