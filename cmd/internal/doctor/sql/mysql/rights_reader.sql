-- SELECT on outbox_event
EXPLAIN SELECT * FROM outbox_event WHERE false;
-- SELECT on outbox_dlq_event
EXPLAIN SELECT * FROM outbox_dlq_event WHERE false;
-- SELECT on outbox_dlq_group
EXPLAIN SELECT * FROM outbox_dlq_group WHERE false;
-- SELECT on outbox_control
EXPLAIN SELECT * FROM outbox_control WHERE false;
-- SELECT on outbox_instance
EXPLAIN SELECT * FROM outbox_instance WHERE false;
-- SELECT on outbox_consumed_event
EXPLAIN SELECT * FROM outbox_consumed_event WHERE false;
-- SELECT on outbox_audit
EXPLAIN SELECT * FROM outbox_audit WHERE false;
-- SELECT on outbox_alert
EXPLAIN SELECT * FROM outbox_alert WHERE false;
-- SELECT on outbox_destination
EXPLAIN SELECT * FROM outbox_destination WHERE false;
-- SELECT on outbox_schema
EXPLAIN SELECT * FROM outbox_schema WHERE false;
-- SELECT on outbox_job
EXPLAIN SELECT * FROM outbox_job WHERE false;
