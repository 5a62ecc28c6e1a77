-- $1 lanes, $2 rows, $3 bytes (0: no bound), $4 and $5 the position to start
-- after, each an array with one entry per lane; $6 owner, $7 lease in
-- microseconds.
--
-- The rows are found by key, which is their place here, through an array: for a
-- join the planner, which cannot know the limits, would hash the whole table.
WITH found AS MATERIALIZED (
  SELECT w.lane, w.max_bytes, r.place, r.available_at, r.seq, r.size
  FROM unnest($1::text[], $2::int[], $3::bigint[], $4::timestamptz[], $5::bigint[]) AS w(lane, max_rows, max_bytes, after_at, after_seq)
  CROSS JOIN LATERAL (
    SELECT e.event_id AS place, e.available_at, e.seq,
      coalesce(octet_length(e.payload::text), octet_length(e.payload_bytes), 0) AS size
    FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type = w.lane
      AND e.available_at <= statement_timestamp()
      AND (e.available_at, e.seq) > (w.after_at, w.after_seq)
      AND (e.locked_until IS NULL OR e.locked_until <= statement_timestamp())
    ORDER BY e.available_at, e.seq
    LIMIT w.max_rows
    FOR NO KEY UPDATE SKIP LOCKED) r
-- include: claim_fitting
UPDATE outbox_event e
-- include: claim_set
WHERE e.event_id = ANY (ARRAY(SELECT place FROM fitting))
-- include: claim_returning
