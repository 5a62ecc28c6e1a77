-- ?1 [group, event id] of each, all of one group.
DELETE FROM outbox_consumed_event WHERE consumer_group IN (?1[0]) AND event_id IN (?1[1])
