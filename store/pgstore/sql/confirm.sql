-- $1 event ids, $2 seqs.
SELECT e.event_id, e.seq
FROM outbox_event e
WHERE e.event_id = ANY ($1::text[])
  AND CASE WHEN e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
    AND (e.event_id, e.seq) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) THEN true END
