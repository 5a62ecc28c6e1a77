-- SELECT on outbox_dlq_event
EXPLAIN SELECT * FROM outbox_dlq_event WHERE false;
-- UPDATE on outbox_dlq_event
EXPLAIN UPDATE outbox_dlq_event SET resolved_at = UTC_TIMESTAMP(6) WHERE false;
-- DELETE on outbox_dlq_event
EXPLAIN DELETE FROM outbox_dlq_event WHERE false;
