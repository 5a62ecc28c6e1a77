-- Those that are among the dead letters.
DELETE e
FROM outbox_event e FORCE INDEX (outbox_event_pending)
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = e.event_id AND d.seq = e.seq
WHERE e.lane = '' AND e.status = 3
