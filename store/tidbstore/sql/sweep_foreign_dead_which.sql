-- ?1 how many. Rows that another program marked as dead in place: their lane is
-- empty. It locks nothing: rows_free.sql does.
SELECT e.seq
FROM outbox_event e FORCE INDEX (outbox_event_pending)
WHERE e.lane = '' AND e.status = 3
ORDER BY e.available_at, e.seq
LIMIT ?1
