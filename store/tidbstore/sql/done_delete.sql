-- ?1 as in done.sql, or with more columns after the third, as in dead_copy.sql,
-- ?2 owner.
-- which: held_lock
DELETE e FROM outbox_event e FORCE INDEX (PRIMARY)
-- include: held_where
