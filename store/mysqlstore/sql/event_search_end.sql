-- ?1 the seq to start after, ?2 how many events to skip. Returns the one after
-- them, if there is one.
SELECT e.event_id, e.seq
FROM outbox_event e FORCE INDEX (PRIMARY)
WHERE e.seq < ?1
ORDER BY e.seq DESC
LIMIT 1 OFFSET ?2
