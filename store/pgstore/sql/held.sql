-- $1 event ids, $2 seqs, $3 claim numbers, $4 owner. Returns the claims that
-- are held, whoever has locked their rows. The CASE is explained in done.sql.
SELECT e.event_id, e.seq, e.claim_no
FROM outbox_event e
WHERE e.event_id = ANY ($1::text[])
  AND CASE WHEN e.status IN (0, 2)
    AND e.locked_by IS NOT DISTINCT FROM CASE WHEN e.claim_no > 0 THEN $4::text END
    AND (e.event_id, e.seq, e.claim_no) IN (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])) THEN true END
