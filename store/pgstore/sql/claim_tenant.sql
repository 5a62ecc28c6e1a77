-- Parameters as in claim.sql, but $6 is an array of tenants, and owner, lease and
-- age follow. Each want claims from one tenant of a lane, through the index of
-- migrations/fair.up.sql.
WITH found AS MATERIALIZED (
  SELECT w.want, w.max_bytes, r.event_id, r.available_at, r.seq, r.size
  FROM unnest($1::text[], $2::int[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::text[])
    WITH ORDINALITY AS w(lane, max_rows, max_bytes, after_at, after_seq, tenant, want)
  CROSS JOIN LATERAL (
    SELECT e.event_id, e.available_at, e.seq,
      coalesce(octet_length(e.payload::text), octet_length(e.payload_bytes), 0) AS size
    FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type = w.lane
      AND coalesce(e.tenant_id, '') COLLATE "C" = w.tenant
      AND e.available_at <= statement_timestamp() - $9::bigint * interval '1 microsecond'
      AND (e.available_at, e.seq) > (w.after_at, w.after_seq)
      AND (e.locked_until IS NULL OR e.locked_until <= statement_timestamp())
    ORDER BY e.available_at, e.seq
    LIMIT w.max_rows
    FOR NO KEY UPDATE SKIP LOCKED) r
-- include: claim_fitting
UPDATE outbox_event e
SET locked_by = $7::text,
  locked_until = clock_timestamp() + $8::bigint * interval '1 microsecond',
  claim_no = e.claim_no + 1,
  recovered = e.recovered + (e.locked_by IS NOT NULL)::int
WHERE e.event_id = ANY (ARRAY(SELECT event_id FROM fitting))
RETURNING e.event_id, e.seq, e.claim_no, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id,
  e.correlation_id, e.trace_id, e.payload, e.payload_bytes, e.headers, e.attempts, e.recovered,
  e.available_at, e.occurred_at, e.created_at, e.failures
