-- $1 event ids, $2 seqs, $3 groups, $4 destinations, one array each.
UPDATE outbox_dlq_event d
SET group_id = k.group_id, destination = k.destination
FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) k(event_id, seq, group_id, destination)
WHERE d.event_id = k.event_id AND d.seq = k.seq
