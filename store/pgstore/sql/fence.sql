-- The end of every statement that a claim must still be held for: $1 event ids,
-- $2 seqs, $3 claim numbers, $4 owner. The condition before it finds the rows by
-- key; the CASE keeps the fence a hashed lookup, which the planner would
-- otherwise turn into a nested loop over all pairs.
  AND CASE WHEN e.status IN (0, 2)
    AND e.locked_by IS NOT DISTINCT FROM CASE WHEN e.claim_no > 0 THEN $4::text END
    AND (e.event_id, e.seq, e.claim_no) IN (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])) THEN true END
