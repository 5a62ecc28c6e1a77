-- $1 event ids. Returns the ids that are back in the outbox, and with false
-- those that stay because an event of that id is there already.
WITH letter AS MATERIALIZED (
  SELECT DISTINCT ON (d.event_id) d.*
  FROM outbox_dlq_event d
  WHERE d.event_id = ANY ($1::text[])
  ORDER BY d.event_id, d.seq DESC
), locked AS MATERIALIZED (
  SELECT d.event_id, d.seq FROM outbox_dlq_event d
  WHERE (d.event_id, d.seq) IN (SELECT l.event_id, l.seq FROM letter l)
  ORDER BY d.event_id FOR UPDATE
), back AS (
  INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, trace_id,
    payload, payload_bytes, headers, occurred_at, created_at, claim_no)
  SELECT l.event_id, l.event_type, l.aggregate_type, l.aggregate_id, l.tenant_id, l.correlation_id, l.trace_id,
    l.payload, l.payload_bytes, l.headers, l.occurred_at, l.created_at, l.claim_no + 1
  FROM letter l JOIN locked USING (event_id, seq)
  ON CONFLICT DO NOTHING
  RETURNING event_id
), gone AS (
  DELETE FROM outbox_dlq_event d
  USING locked k, back b
  WHERE d.event_id = k.event_id AND d.seq = k.seq AND b.event_id = k.event_id
  RETURNING d.event_id
)
SELECT k.event_id, EXISTS (SELECT FROM gone g WHERE g.event_id = k.event_id) FROM locked k
