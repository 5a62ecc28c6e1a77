-- Parameters as in renew_attempt.sql.
SELECT e.event_id, e.seq, e.claim_no
FROM outbox_event e
WHERE e.seq = ?2 AND e.event_id = ?1 AND e.claim_no = ?3
  AND e.locked_by <=> IF(?3 > 0, ?4, NULL)
  AND e.status IN (0, 2)
FOR UPDATE
