-- SELECT on outbox_consumed_event
EXPLAIN SELECT * FROM outbox_consumed_event WHERE false;
-- UPDATE on outbox_consumed_event
EXPLAIN UPDATE outbox_consumed_event SET consumed_at = now() WHERE false;
-- DELETE on outbox_consumed_event
EXPLAIN DELETE FROM outbox_consumed_event WHERE false;
-- SELECT on outbox_schema
EXPLAIN SELECT * FROM outbox_schema WHERE false;
-- UPDATE (applied_at) on outbox_schema
EXPLAIN UPDATE outbox_schema SET applied_at = now() WHERE false;
