-- $1 event ids, $2 seqs, $3 owner, $4 lease in microseconds. It skips locked
-- rows, and locks the others as they were found.
UPDATE outbox_event e
SET locked_by = $3::text, locked_until = clock_timestamp() + $4::bigint * interval '1 microsecond', claim_no = 1
WHERE e.event_id = ANY (ARRAY(
    SELECT f.event_id FROM outbox_event f
    WHERE f.event_id = ANY ($1::text[])
      AND CASE WHEN f.status IN (0, 2) AND f.locked_by IS NULL AND f.claim_no = 0
        AND (f.event_id, f.seq) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) THEN true END
    FOR NO KEY UPDATE SKIP LOCKED))
RETURNING e.event_id, e.seq, e.claim_no
