-- $1 event ids, $2 seqs, $3 claim numbers, $4 kinds (2 retry, 3 dead, 4
-- release), $5 attempts, $6 delays in microseconds, $7 errors, $8 failures, one
-- array each; $9 owner. Returns the claims it ended: a freed row already has
-- the next number.
WITH o AS MATERIALIZED (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::bigint[], $7::text[], $8::text[])
    AS o(event_id, seq, claim_no, kind, attempts, delay, error, failures)
), freed AS (
  UPDATE outbox_event e
  SET status = CASE o.kind WHEN 2 THEN 2 ELSE e.status END,
    attempts = o.attempts,
    available_at = CASE WHEN o.kind = 2 OR o.delay > 0
      THEN clock_timestamp() + o.delay * interval '1 microsecond' ELSE e.available_at END,
    last_error = CASE o.kind WHEN 2 THEN o.error ELSE e.last_error END,
    failures = CASE WHEN o.kind = 2 OR o.failures IS NOT NULL THEN o.failures ELSE e.failures END,
    locked_by = NULL, locked_until = NULL, claim_no = e.claim_no + 1, recovered = 0
  FROM o
  WHERE o.kind IN (2, 4)
    AND e.event_id = o.event_id AND e.seq = o.seq AND e.claim_no = o.claim_no
    AND e.locked_by IS NOT DISTINCT FROM CASE WHEN o.claim_no > 0 THEN $9::text END
    AND CASE WHEN e.status IN (0, 2) THEN true END
  RETURNING e.event_id, e.seq, o.claim_no
), gone AS (
  DELETE FROM outbox_event e
  USING o
  WHERE o.kind = 3
    AND e.event_id = o.event_id AND e.seq = o.seq AND e.claim_no = o.claim_no
    AND e.locked_by IS NOT DISTINCT FROM CASE WHEN o.claim_no > 0 THEN $9::text END
    AND CASE WHEN e.status IN (0, 2) THEN true END
  RETURNING e.event_id, e.seq, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.correlation_id,
    e.trace_id, e.payload, e.payload_bytes, e.headers, o.attempts, e.occurred_at, e.created_at, o.error, o.failures, e.claim_no
), buried AS (
  INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
    trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
  SELECT * FROM gone
  RETURNING event_id, seq, claim_no
)
SELECT event_id, seq, claim_no FROM freed UNION ALL SELECT event_id, seq, claim_no FROM buried
