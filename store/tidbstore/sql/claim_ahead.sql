-- ?1 lane, ?2 and ?3 the position to start after, ?4 age in microseconds, ?5 how
-- many rows to pass over. Returns the position of the row behind them, if the lane
-- is that long. It reads the index alone, so that rows which are held count too.
SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', e.available_at), e.seq
FROM outbox_event e FORCE INDEX (outbox_event_pending)
WHERE e.lane = ?1 AND e.available_at <= UTC_TIMESTAMP(6) - INTERVAL ?4 MICROSECOND
  AND ((e.available_at = CAST(?2 AS DATETIME(6)) AND e.seq > ?3) OR e.available_at > CAST(?2 AS DATETIME(6)))
ORDER BY e.available_at, e.seq
LIMIT 1 OFFSET ?5
