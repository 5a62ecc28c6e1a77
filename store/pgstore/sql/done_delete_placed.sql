-- Parameters as in done_delete.sql, and $5 the places that the claim returned.
-- The fence decides: a row that has moved is not found, whatever took its
-- place.
DELETE FROM outbox_event e
WHERE e.ctid = ANY ($5::tid[])
  AND CASE WHEN e.status IN (0, 2)
    AND e.locked_by IS NOT DISTINCT FROM CASE WHEN e.claim_no > 0 THEN $4::text END
    AND (e.event_id, e.seq, e.claim_no) IN (SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])) THEN true END
RETURNING e.event_id, e.seq, e.claim_no
