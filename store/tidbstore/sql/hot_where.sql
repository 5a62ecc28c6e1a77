-- Rows with a head start that nobody has claimed, for a batch of [event id, seq].
WHERE e.seq IN (?1[1]) AND CONCAT(e.event_id, ' ', e.seq) IN (?1[0:2])
  AND e.status IN (0, 2) AND e.locked_by IS NULL AND e.claim_no = 0
