-- ?1 as in dlq_replay.sql.
DELETE FROM outbox_dlq_event
WHERE (event_id, seq) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?1))
