-- :rows events, ids and seqs in the order of writing, half a second apart: of 20
-- types, 50 tenants and :rows / 10 keys. 70 in 100 are delivered, and one in
-- 1000 has failed.
INSERT INTO outbox_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, payload, headers,
  status, attempts, available_at, created_at, done_at, last_error, failures)
SELECT '01J' || lpad(n::text, 23, '0'), n, 'type-' || lpad((n % 20)::text, 2, '0'), 'Order', 'key-' || n % (:rows / 10), 'tenant-' || n / 7 % 50, 'request-' || n / 3,
  replace('{"order":{"id":#,"total":129.95,"currency":"EUR"},"customer":{"id":#,"name":"Ada Lovelace","email":"ada@example.com"},"lines":[{"sku":"A-1","quantity":2,"price":49.95},{"sku":"B-7","quantity":1,"price":30.05}],"note":"leave at the door"}', '#', n::text)::json,
  '{"source":"shop","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}',
  CASE WHEN n / 20 % 10 < 7 THEN 1 WHEN n % 1000 = 999 THEN 2 ELSE 0 END, CASE WHEN n % 1000 = 999 THEN 3 ELSE 0 END,
  now() - (:rows - n) * interval '500 milliseconds', now() - (:rows - n) * interval '500 milliseconds',
  CASE WHEN n / 20 % 10 < 7 THEN now() - (:rows - n) * interval '500 milliseconds' END,
  CASE WHEN n % 1000 = 999 THEN 'gateway 7 refused order ' || n END,
  CASE WHEN n % 1000 = 999 THEN replace(':failures', '#', n::text) END
FROM generate_series(1, :rows) n;

-- :rows dead letters, one each 2.5 s: in 40 large groups and 160 small ones, to 4
-- destinations. The oldest tenth is resolved, and all of the last type.
INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, payload, headers,
  attempts, created_at, died_at, resolved_at, last_error, failures, claim_no, destination, group_id)
SELECT '01H' || lpad(n::text, 23, '0'), n, 'type-' || lpad((n % 20)::text, 2, '0'), 'Order', 'key-' || n % (:rows / 10), 'tenant-' || n / 7 % 50, 'request-' || n / 3,
  replace('{"order":{"id":#,"total":129.95,"currency":"EUR"},"customer":{"id":#,"name":"Ada Lovelace","email":"ada@example.com"},"lines":[{"sku":"A-1","quantity":2,"price":49.95},{"sku":"B-7","quantity":1,"price":30.05}],"note":"leave at the door"}', '#', n::text)::json,
  '{"source":"shop","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}',
  3, now() - (:rows - n) * interval '2.5 seconds', now() - (:rows - n) * interval '2.5 seconds',
  CASE WHEN n <= :rows / 10 OR n % 20 = 19 THEN now() END,
  'gateway ' || n % 40 || ' refused order ' || n, replace(':failures', '#', n::text), 3, 'kafka#0:topic-' || n % 4,
  lpad((CASE WHEN n % 1000 < 20 THEN 40 + n / 1000 % 160 ELSE n % 40 END)::text, 16, '0')
FROM generate_series(1, :rows) n;

INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason, first_at, last_at)
SELECT lpad(g::text, 16, '0'), 'type-' || lpad((g % 20)::text, 2, '0'), 'kafka#0:topic-' || g % 4, 'gateway # refused order #', now() - interval '29 days', now() - g * interval '1 minute'
FROM generate_series(0, 199) g;

INSERT INTO outbox_consumed_event (consumer_group, event_id, consumed_at)
SELECT CASE WHEN n % 2 = 0 THEN 'billing' ELSE 'shipping' END, '01J' || lpad(n::text, 23, '0'), now() - (:rows - n) * interval '500 milliseconds'
FROM generate_series(1, :rows) n;

INSERT INTO outbox_audit (acted_at, actor, action, subjects, note)
SELECT now() - (100000 - n) * interval '30 seconds', 'person-' || n % 9, 'replay',
  '["01J' || lpad(n::text, 23, '0') || '"' || repeat(',"01J' || lpad(n::text, 23, '0') || '"', CASE WHEN n % 20 = 0 THEN 99 ELSE 0 END) || ']', 'the gateway is back'
FROM generate_series(1, 100000) n;

INSERT INTO outbox_alert (alert_id, rule, subject, severity, message, raised_at, resolved_at)
SELECT lpad(n::text, 16, '0'), 'oldest-waiting', 'type-' || n % 20, 'warning', 'the oldest event of type-' || n % 20 || ' has waited for 5m',
  now() - n * interval '1 hour', CASE WHEN n > 20 THEN now() - n * interval '50 minutes' END
FROM generate_series(1, 500) n;

INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state, applied, created_at, ended_at)
SELECT '01J' || lpad(n::text, 23, '0'), 'retry', '{"action":"retry","filter":{"type":"type-01"}}', 'person-' || n % 9, 'the gateway is back', 5000, false,
  CASE WHEN n > 998 THEN 'running' ELSE 'done' END, 4000, now() - (1000 - n) * interval '30 minutes', CASE WHEN n <= 998 THEN now() END
FROM generate_series(1, 1000) n;

VACUUM ANALYZE;
