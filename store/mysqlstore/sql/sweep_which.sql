-- ?1 age in microseconds, ?2 how many. Lane is null for what is done, and
-- available_at then is when; a program that marks rows as done by itself leaves it
-- as it was, which is earlier.
SELECT d.seq
FROM outbox_event d FORCE INDEX (outbox_event_pending)
WHERE d.lane IS NULL AND d.available_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
  AND COALESCE(d.done_at, d.available_at) <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
ORDER BY d.available_at, d.seq
LIMIT ?2
