-- $1 event ids, $2 seqs, $3 claim numbers, $4 owner, $5 lease in microseconds.
UPDATE outbox_event e
SET locked_until = clock_timestamp() + $5::bigint * interval '1 microsecond'
WHERE e.event_id = ANY ($1::text[])
-- include: fence
RETURNING e.event_id, e.seq, e.claim_no
