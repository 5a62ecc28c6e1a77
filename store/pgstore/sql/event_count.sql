-- Parameters as in event_list.sql, without the last.
SELECT count(*)
FROM outbox_event e
-- include: event_where
