-- ?1 [event id] of each, ?2 group.
SELECT e.event_id
FROM json_each(?1) h CROSS JOIN outbox_consumed_event e
WHERE e.consumer_group = ?2 AND e.event_id = h.value ->> 0
