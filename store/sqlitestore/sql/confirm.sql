-- ?1 [event id, seq] of each row.
SELECT e.event_id, e.seq
FROM json_each(?1) h CROSS JOIN outbox_event e
WHERE e.seq = h.value ->> 1 AND e.event_id = h.value ->> 0
  AND +e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
