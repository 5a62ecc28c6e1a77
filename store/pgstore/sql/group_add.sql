-- $1 groups, $2 lanes, $3 destinations, $4 reasons, one array each, in the order
-- of the groups: two instances lock them in one order.
INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason)
SELECT k.group_id, k.event_type, k.destination, k.reason
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) k(group_id, event_type, destination, reason)
ON CONFLICT (group_id) DO UPDATE SET last_at = clock_timestamp(), reason = excluded.reason
