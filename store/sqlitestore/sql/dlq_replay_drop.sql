-- ?1 as in dlq_replay.sql.
DELETE FROM outbox_dlq_event AS d
WHERE event_id IN (SELECT value ->> 0 FROM json_each(?1))
  AND seq = (SELECT max(l.seq) FROM outbox_dlq_event l WHERE l.event_id = d.event_id)
