-- ?1 which want it is, ?2 lane, ?3 how many, ?4 and ?5 the position to start
-- after, ?7 age in microseconds. Returns which want, and time, seq and size of
-- each row. It locks nothing: claim_read.sql does.
(SELECT ?1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.available_at), e.seq, e.payload_size
FROM outbox_event e FORCE INDEX (outbox_event_pending)
WHERE e.lane = ?2 AND e.available_at <= UTC_TIMESTAMP(6) - INTERVAL ?7 MICROSECOND
  AND ((e.available_at = CAST(?4 AS DATETIME(6)) AND e.seq > ?5) OR e.available_at > CAST(?4 AS DATETIME(6)))
  AND (e.locked_until IS NULL OR e.locked_until <= UTC_TIMESTAMP(6))
ORDER BY e.available_at, e.seq
LIMIT ?3)
