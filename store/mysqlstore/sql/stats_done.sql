-- ?1 where to stop counting.
SELECT COUNT(*) FROM (
  SELECT 1 FROM outbox_event e FORCE INDEX (outbox_event_pending) WHERE e.lane IS NULL LIMIT ?1) s
