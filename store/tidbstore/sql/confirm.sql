-- ?1 [event id, seq] of each row.
SELECT e.event_id, e.seq
FROM outbox_event e FORCE INDEX (PRIMARY)
-- include: hot_where
