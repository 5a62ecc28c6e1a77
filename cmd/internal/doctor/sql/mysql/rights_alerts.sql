-- SELECT on outbox_event
EXPLAIN SELECT * FROM outbox_event WHERE false;
-- SELECT on outbox_dlq_event
EXPLAIN SELECT * FROM outbox_dlq_event WHERE false;
-- SELECT on outbox_alert
EXPLAIN SELECT * FROM outbox_alert WHERE false;
-- INSERT on outbox_alert
EXPLAIN INSERT INTO outbox_alert (alert_id, rule, subject, severity, message) SELECT '', '', '', '', '' FROM outbox_alert WHERE false;
-- UPDATE on outbox_alert
EXPLAIN UPDATE outbox_alert SET note = '' WHERE false;
-- DELETE on outbox_alert
EXPLAIN DELETE FROM outbox_alert WHERE false;
