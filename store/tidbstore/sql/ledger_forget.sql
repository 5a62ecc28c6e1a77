-- ?1 [event id] of each, ?2 group.
DELETE FROM outbox_consumed_event WHERE consumer_group = ?2 AND event_id IN (?1[0])
