-- Parameters as in done.sql.
DELETE FROM outbox_event
WHERE seq IN (
  SELECT e.seq
  FROM json_each(?1) h CROSS JOIN outbox_event e
  WHERE e.seq = h.value ->> 1 AND e.event_id = h.value ->> 0 AND e.claim_no = h.value ->> 2
    AND e.locked_by IS CASE WHEN e.claim_no > 0 THEN ?2 END
    AND +e.status IN (0, 2))
RETURNING event_id, seq, claim_no
