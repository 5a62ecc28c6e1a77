-- ?1 the seq to start after, ?2 how many events to skip. Returns the one after
-- them, if there is one.
SELECT event_id, seq
FROM outbox_event
WHERE seq < ?1
ORDER BY seq DESC
LIMIT 1 OFFSET ?2
