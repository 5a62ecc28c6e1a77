-- $1 event ids, $2 seqs, $3 owner, $4 lease in microseconds.
UPDATE outbox_event e
SET locked_by = $3::text, locked_until = clock_timestamp() + $4::bigint * interval '1 microsecond', claim_no = 1
WHERE e.event_id = ANY ($1::text[])
  AND CASE WHEN e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
    AND (e.event_id, e.seq) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) THEN true END
RETURNING e.event_id, e.seq, e.claim_no
