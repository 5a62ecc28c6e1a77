-- Parameters as in dlq_delete.sql. Returns those that exist, of several letters of
-- one id the latest, and whether they can go back: not while an event of that id
-- is in the outbox. One that was erased says nothing any more, and is none of them.
SELECT d.event_id, max(d.seq), NOT EXISTS (SELECT 1 FROM outbox_event e WHERE e.event_id = d.event_id)
FROM json_each(?1) k CROSS JOIN outbox_dlq_event d ON d.event_id = k.value ->> 0
WHERE (k.value ->> 1 = 0 OR k.value ->> 1 = d.seq) AND (k.value ->> 2 = 0 OR d.resolved_at IS NULL)
  AND d.headers IS NOT '{"outbox_erased":"true"}'
GROUP BY d.event_id
