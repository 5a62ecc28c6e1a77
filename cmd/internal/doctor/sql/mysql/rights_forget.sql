-- SELECT on outbox_consumed_event
EXPLAIN SELECT * FROM outbox_consumed_event WHERE false;
-- DELETE on outbox_consumed_event
EXPLAIN DELETE FROM outbox_consumed_event WHERE false;
-- SELECT on outbox_schema
EXPLAIN SELECT * FROM outbox_schema WHERE false;
-- UPDATE on outbox_schema
EXPLAIN UPDATE outbox_schema SET applied_at = UTC_TIMESTAMP(6) WHERE false;
