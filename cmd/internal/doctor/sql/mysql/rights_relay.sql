-- SELECT on outbox_event
EXPLAIN SELECT * FROM outbox_event WHERE false;
-- UPDATE on outbox_event
EXPLAIN UPDATE outbox_event SET status = 0, attempts = 0, available_at = UTC_TIMESTAMP(6), done_at = UTC_TIMESTAMP(6), last_error = '', failures = '',
  locked_by = '', locked_until = UTC_TIMESTAMP(6), claim_no = 0, recovered = 0 WHERE false;
-- DELETE on outbox_event
EXPLAIN DELETE FROM outbox_event WHERE false;
-- INSERT on outbox_dlq_event
EXPLAIN INSERT INTO outbox_dlq_event (event_id, seq, event_type, attempts, created_at, claim_no) VALUES ('', 0, '', 0, UTC_TIMESTAMP(6), 0);
-- SELECT on outbox_dlq_event
EXPLAIN SELECT * FROM outbox_dlq_event WHERE false;
-- UPDATE on outbox_dlq_event
EXPLAIN UPDATE outbox_dlq_event SET group_id = '', destination = '' WHERE false;
-- INSERT on outbox_dlq_group
EXPLAIN INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason) VALUES ('', '', '', '');
-- SELECT on outbox_dlq_group
EXPLAIN SELECT * FROM outbox_dlq_group WHERE false;
-- DELETE on outbox_dlq_group
EXPLAIN DELETE FROM outbox_dlq_group WHERE false;
-- UPDATE on outbox_dlq_group
EXPLAIN UPDATE outbox_dlq_group SET last_at = UTC_TIMESTAMP(6) WHERE false;
-- SELECT on outbox_control
EXPLAIN SELECT * FROM outbox_control WHERE false;
-- SELECT on outbox_destination
EXPLAIN SELECT * FROM outbox_destination WHERE false;
-- SELECT on outbox_instance
EXPLAIN SELECT * FROM outbox_instance WHERE false;
-- INSERT on outbox_instance
EXPLAIN INSERT INTO outbox_instance (owner, version, lanes) VALUES ('', '', '');
-- UPDATE on outbox_instance
EXPLAIN UPDATE outbox_instance SET seen_at = UTC_TIMESTAMP(6) WHERE false;
-- DELETE on outbox_instance
EXPLAIN DELETE FROM outbox_instance WHERE false;
-- SELECT on outbox_schema
EXPLAIN SELECT * FROM outbox_schema WHERE false;
-- UPDATE on outbox_schema
EXPLAIN UPDATE outbox_schema SET applied_at = UTC_TIMESTAMP(6) WHERE false;
