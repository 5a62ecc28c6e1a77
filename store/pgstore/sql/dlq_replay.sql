-- $1 event ids, $2 seqs or 0, $3 1 if the letter must be open. Returns the letters
-- that are back in the outbox, and with false those that stay because an event of
-- that id is there already. Of several of one id, the latest is meant. One that was
-- erased says nothing any more, and is none of them.
--
-- Nobody tells the planner how many rows there are: the OFFSET makes it look each
-- key up in the index, and an IN that is not a condition of its own looks up in a
-- hash.
WITH letter AS MATERIALIZED (
  SELECT DISTINCT ON (d.event_id) d.event_id, d.seq
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) k(event_id, seq, open)
  CROSS JOIN LATERAL (
    SELECT l.event_id, l.seq FROM outbox_dlq_event l
    WHERE l.event_id = k.event_id AND (k.seq = 0 OR l.seq = k.seq) AND (k.open = 0 OR l.resolved_at IS NULL)
      AND l.headers::text IS DISTINCT FROM '{"outbox_erased":"true"}'
    OFFSET 0) d
  ORDER BY d.event_id, d.seq DESC
), locked AS MATERIALIZED (
  SELECT d.* FROM outbox_dlq_event d
  WHERE (d.event_id, d.seq) IN (SELECT l.event_id, l.seq FROM letter l)
  ORDER BY d.event_id FOR UPDATE
), fits AS MATERIALIZED (
  SELECT k.* FROM locked k
  WHERE k.headers::text IS DISTINCT FROM '{"outbox_erased":"true"}'
    AND EXISTS (SELECT FROM unnest($1::text[], $2::bigint[], $3::bigint[]) a(event_id, seq, open)
      WHERE a.event_id = k.event_id AND (a.seq = 0 OR a.seq = k.seq) AND (a.open = 0 OR k.resolved_at IS NULL))
), back AS (
  INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
    payload, payload_bytes, headers, occurred_at, created_at, claim_no, failures)
  SELECT l.event_id, l.event_type, l.aggregate_type, l.aggregate_id, l.tenant_id, l.correlation_id, l.trace_id,
    l.payload, l.payload_bytes, l.headers, l.occurred_at, l.created_at, l.claim_no + 1,
    CASE WHEN coalesce(l.failures, '') NOT LIKE '[{%' OR l.failures LIKE '%"maybe":true%' OR l.failures LIKE '%"maybe_before":true%'
      THEN '[{"class":"earlier","error":"before it went back to the outbox","maybe":true}]' END
  FROM fits l
  ORDER BY l.seq
  ON CONFLICT DO NOTHING
  RETURNING event_id
), gone AS (
  DELETE FROM outbox_dlq_event d
  USING fits k
  WHERE d.event_id = k.event_id AND d.seq = k.seq AND (k.event_id IN (SELECT b.event_id FROM back b)) IS TRUE
  RETURNING d.event_id
)
SELECT k.event_id, k.seq, k.event_id IN (SELECT g.event_id FROM gone g) FROM fits k
