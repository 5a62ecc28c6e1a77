-- SELECT on outbox_event
EXPLAIN SELECT * FROM outbox_event WHERE false;
-- UPDATE on outbox_event
EXPLAIN UPDATE outbox_event SET status = 0, attempts = 0, available_at = now(), done_at = now(), last_error = '', failures = '',
  locked_by = '', locked_until = now(), claim_no = 0, recovered = 0 WHERE false;
-- DELETE on outbox_event
EXPLAIN DELETE FROM outbox_event WHERE false;
-- INSERT on outbox_dlq_event
EXPLAIN INSERT INTO outbox_dlq_event (event_id, seq, event_type, attempts, created_at, claim_no) VALUES ('', 0, '', 0, now(), 0);
-- SELECT (event_id, seq, claim_no, event_type, last_error, failures, group_id, resolved_at, status) on outbox_dlq_event
EXPLAIN SELECT event_id, seq, claim_no, event_type, last_error, failures, group_id, resolved_at, status FROM outbox_dlq_event WHERE false;
-- UPDATE (group_id, destination) on outbox_dlq_event
EXPLAIN UPDATE outbox_dlq_event SET group_id = '', destination = '' WHERE false;
-- INSERT (group_id, event_type, destination, reason) on outbox_dlq_group
EXPLAIN INSERT INTO outbox_dlq_group (group_id, event_type, destination, reason) VALUES ('', '', '', '');
-- SELECT on outbox_dlq_group
EXPLAIN SELECT * FROM outbox_dlq_group WHERE false;
-- DELETE on outbox_dlq_group
EXPLAIN DELETE FROM outbox_dlq_group WHERE false;
-- UPDATE (last_at, reason) on outbox_dlq_group
EXPLAIN UPDATE outbox_dlq_group SET last_at = now(), reason = '' WHERE false;
-- SELECT on outbox_control
EXPLAIN SELECT * FROM outbox_control WHERE false;
-- SELECT on outbox_destination
EXPLAIN SELECT * FROM outbox_destination WHERE false;
-- SELECT on outbox_instance
EXPLAIN SELECT * FROM outbox_instance WHERE false;
-- INSERT on outbox_instance
EXPLAIN INSERT INTO outbox_instance (owner, version, lanes) VALUES ('', '', '');
-- UPDATE on outbox_instance
EXPLAIN UPDATE outbox_instance SET seen_at = now() WHERE false;
-- DELETE on outbox_instance
EXPLAIN DELETE FROM outbox_instance WHERE false;
-- SELECT on outbox_schema
EXPLAIN SELECT * FROM outbox_schema WHERE false;
-- UPDATE (applied_at) on outbox_schema
EXPLAIN UPDATE outbox_schema SET applied_at = now() WHERE false;
