CREATE TABLE digits (i INT);

INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);

CREATE TABLE numbers (n INT PRIMARY KEY);

INSERT INTO numbers SELECT a.i + 10 * b.i + 100 * c.i + 1000 * d.i + 10000 * e.i + 100000 * f.i + 1
FROM digits f, digits e, digits d, digits c, digits b, digits a;

DELETE FROM numbers WHERE n > :rows;

-- The same rows as in postgres.sql, which describes them. A delivered row has the
-- time of its delivery in available_at.
INSERT INTO outbox_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, payload, headers,
  status, attempts, available_at, created_at, done_at, last_error, failures)
SELECT CONCAT('01J', LPAD(n, 23, '0')), n, CONCAT('type-', LPAD(n % 20, 2, '0')), 'Order', CONCAT('key-', n % (:rows DIV 10)), CONCAT('tenant-', n DIV 7 % 50), CONCAT('request-', n DIV 3),
  REPLACE('{"order":{"id":#,"total":129.95,"currency":"EUR"},"customer":{"id":#,"name":"Ada Lovelace","email":"ada@example.com"},"lines":[{"sku":"A-1","quantity":2,"price":49.95},{"sku":"B-7","quantity":1,"price":30.05}],"note":"leave at the door"}', '#', n),
  '{"source":"shop","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}',
  CASE WHEN n DIV 20 % 10 < 7 THEN 1 WHEN n % 1000 = 999 THEN 2 ELSE 0 END, IF(n % 1000 = 999, 3, 0),
  UTC_TIMESTAMP(6) - INTERVAL (:rows - n) * 500000 MICROSECOND, UTC_TIMESTAMP(6) - INTERVAL (:rows - n) * 500000 MICROSECOND,
  IF(n DIV 20 % 10 < 7, UTC_TIMESTAMP(6) - INTERVAL (:rows - n) * 500000 MICROSECOND, NULL),
  IF(n % 1000 = 999, CONCAT('gateway 7 refused order ', n), NULL),
  IF(n % 1000 = 999, REPLACE(':failures', '#', n), NULL)
FROM numbers ORDER BY n;

INSERT INTO outbox_dlq_event (event_id, seq, event_type, aggregate_type, aggregate_id, tenant_id, correlation_id, payload, headers,
  attempts, created_at, died_at, resolved_at, last_error, failures, claim_no, destination, group_id)
SELECT CONCAT('01H', LPAD(n, 23, '0')), n, CONCAT('type-', LPAD(n % 20, 2, '0')), 'Order', CONCAT('key-', n % (:rows DIV 10)), CONCAT('tenant-', n DIV 7 % 50), CONCAT('request-', n DIV 3),
  REPLACE('{"order":{"id":#,"total":129.95,"currency":"EUR"},"customer":{"id":#,"name":"Ada Lovelace","email":"ada@example.com"},"lines":[{"sku":"A-1","quantity":2,"price":49.95},{"sku":"B-7","quantity":1,"price":30.05}],"note":"leave at the door"}', '#', n),
  '{"source":"shop","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}',
  3, UTC_TIMESTAMP(6) - INTERVAL (:rows - n) * 2500000 MICROSECOND, UTC_TIMESTAMP(6) - INTERVAL (:rows - n) * 2500000 MICROSECOND,
  IF(n <= :rows DIV 10 OR n % 20 = 19, UTC_TIMESTAMP(6), NULL),
  CONCAT('gateway ', n % 40, ' refused order ', n), REPLACE(':failures', '#', n), 3, CONCAT('kafka#0:topic-', n % 4),
  LPAD(IF(n % 1000 < 20, 40 + n DIV 1000 % 160, n % 40), 16, '0')
FROM numbers ORDER BY n;

INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason, first_at, last_at)
SELECT LPAD(n - 1, 16, '0'), CONCAT('type-', LPAD((n - 1) % 20, 2, '0')), CONCAT('kafka#0:topic-', (n - 1) % 4), 'gateway # refused order #', UTC_TIMESTAMP(6) - INTERVAL 29 DAY, UTC_TIMESTAMP(6) - INTERVAL n - 1 MINUTE
FROM numbers WHERE n <= 200;

INSERT INTO outbox_consumed_event (consumer_group, event_id, consumed_at)
SELECT IF(n % 2 = 0, 'billing', 'shipping'), CONCAT('01J', LPAD(n, 23, '0')), UTC_TIMESTAMP(6) - INTERVAL (:rows - n) * 500000 MICROSECOND
FROM numbers ORDER BY n % 2, n;

INSERT INTO outbox_audit (acted_at, actor, action, subjects, note)
SELECT UTC_TIMESTAMP(6) - INTERVAL (100000 - n) * 30 SECOND, CONCAT('person-', n % 9), 'replay',
  CONCAT('["01J', LPAD(n, 23, '0'), '"', REPEAT(CONCAT(',"01J', LPAD(n, 23, '0'), '"'), IF(n % 20 = 0, 99, 0)), ']'), 'the gateway is back'
FROM numbers WHERE n <= 100000 ORDER BY n;

INSERT INTO outbox_alert (alert_id, rule, subject, severity, message, raised_at, resolved_at)
SELECT LPAD(n, 16, '0'), 'oldest-waiting', CONCAT('type-', n % 20), 'warning', CONCAT('the oldest event of type-', n % 20, ' has waited for 5m'),
  UTC_TIMESTAMP(6) - INTERVAL n HOUR, IF(n > 20, UTC_TIMESTAMP(6) - INTERVAL n * 50 MINUTE, NULL)
FROM numbers WHERE n <= 500;

INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state, applied, created_at, ended_at)
SELECT CONCAT('01J', LPAD(n, 23, '0')), 'retry', '{"action":"retry","filter":{"type":"type-01"}}', CONCAT('person-', n % 9), 'the gateway is back', 5000, false,
  IF(n > 998, 'running', 'done'), 4000, UTC_TIMESTAMP(6) - INTERVAL (1000 - n) * 30 MINUTE, IF(n <= 998, UTC_TIMESTAMP(6), NULL)
FROM numbers WHERE n <= 1000;

ANALYZE TABLE outbox_event, outbox_dlq_event, outbox_dlq_group, outbox_consumed_event, outbox_audit, outbox_alert, outbox_job;
