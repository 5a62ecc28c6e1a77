-- ?1 [group, lane, destination, reason] of each.
INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason)
SELECT k.value ->> 0, k.value ->> 1, k.value ->> 2, k.value ->> 3
FROM json_each(?1) k
WHERE true
ON CONFLICT (group_id) DO UPDATE SET last_at = excluded.last_at, reason = excluded.reason
