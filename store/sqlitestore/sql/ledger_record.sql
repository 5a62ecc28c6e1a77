-- ?1 [event id] of each, ?2 group. Returns those that are new.
INSERT INTO outbox_consumed_event (consumer_group, event_id)
SELECT ?2, h.value ->> 0 FROM json_each(?1) h WHERE true
ON CONFLICT (consumer_group, event_id) DO NOTHING
RETURNING event_id, 1
