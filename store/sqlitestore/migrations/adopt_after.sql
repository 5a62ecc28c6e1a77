-- The program that still writes locked_at may go on doing so.

ALTER TABLE outbox_event ADD COLUMN locked_at;

INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload, headers,
  status, attempts, available_at, created_at, done_at, last_error, locked_at)
SELECT event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload, headers,
  status, attempts,
  iif(typeof(available_at) = 'text', CAST(round(coalesce(unixepoch(available_at, 'subsec'), unixepoch('subsec')) * 1000) AS INTEGER), available_at),
  iif(typeof(created_at) = 'text', CAST(round(coalesce(unixepoch(created_at, 'subsec'), unixepoch('subsec')) * 1000) AS INTEGER), created_at),
  CASE WHEN status = 1 THEN coalesce(
    CASE typeof(done_at) WHEN 'text' THEN CAST(round(unixepoch(done_at, 'subsec') * 1000) AS INTEGER) ELSE done_at END,
    CAST(round(unixepoch('subsec') * 1000) AS INTEGER)) END,
  last_error, locked_at
FROM outbox_event_adopted
ORDER BY created_at, rowid;

DROP TABLE outbox_event_adopted;

INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no)
SELECT event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id,
  trace_id, payload, payload_bytes, headers, attempts, occurred_at, created_at, last_error, failures, claim_no
FROM outbox_event WHERE status = 3;

DELETE FROM outbox_event WHERE status = 3;
