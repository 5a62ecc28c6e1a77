-- ?1 [event id, ...] of each letter. Fails if another session is writing an event of
-- one of the ids or has locked it; otherwise it locks and returns those that are there. Of
-- several ids the server overlooks those that are being written: the INSERT waits then.
SELECT e.event_id
FROM outbox_event e FORCE INDEX (outbox_event_id)
WHERE e.event_id IN (?1[0])
FOR UPDATE NOWAIT
