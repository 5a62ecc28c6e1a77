-- ?1 the lane to start after, ?2 how many, which is 1: the servers can group by
-- lane, but then read every row. The age is in microseconds.
SELECT e.lane, TIMESTAMPDIFF(MICROSECOND, e.available_at, UTC_TIMESTAMP(6))
FROM outbox_event e FORCE INDEX (outbox_event_pending)
WHERE e.lane > ?1
ORDER BY e.lane, e.available_at, e.seq
LIMIT ?2
