-- $1 event id, $2 seq, $3 claim number, $4 owner, $5 lease in microseconds,
-- $6 attempts.
UPDATE outbox_event e
SET locked_until = clock_timestamp() + $5::bigint * interval '1 microsecond', attempts = $6::int
WHERE e.event_id = $1::text AND e.seq = $2::bigint AND e.claim_no = $3::bigint
  AND e.locked_by IS NOT DISTINCT FROM CASE WHEN e.claim_no > 0 THEN $4::text END
  AND CASE WHEN e.status IN (0, 2) THEN true END
RETURNING e.event_id, e.seq, e.claim_no
