-- ?1 where to stop counting.
SELECT count(*) FROM (SELECT 1 FROM outbox_event WHERE status = 1 LIMIT ?1)
