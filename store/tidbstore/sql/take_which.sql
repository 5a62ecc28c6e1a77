-- Parameters as in take.sql, which takes what this one returns.
SELECT e.event_id, e.seq, 1
FROM outbox_event e FORCE INDEX (PRIMARY)
-- include: hot_where
FOR UPDATE NOWAIT
