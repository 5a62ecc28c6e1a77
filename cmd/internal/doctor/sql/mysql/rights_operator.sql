-- SELECT on outbox_event
EXPLAIN SELECT * FROM outbox_event WHERE false;
-- INSERT on outbox_event
EXPLAIN INSERT INTO outbox_event (event_id, event_type, payload) VALUES ('', '', NULL);
-- UPDATE on outbox_event
EXPLAIN UPDATE outbox_event SET status = 0, available_at = UTC_TIMESTAMP(6), headers = NULL WHERE false;
-- SELECT on outbox_dlq_event
EXPLAIN SELECT * FROM outbox_dlq_event WHERE false;
-- UPDATE on outbox_dlq_event
EXPLAIN UPDATE outbox_dlq_event SET resolved_at = UTC_TIMESTAMP(6) WHERE false;
-- DELETE on outbox_dlq_event
EXPLAIN DELETE FROM outbox_dlq_event WHERE false;
-- SELECT on outbox_dlq_group
EXPLAIN SELECT * FROM outbox_dlq_group WHERE false;
-- UPDATE on outbox_dlq_group
EXPLAIN UPDATE outbox_dlq_group SET state = '' WHERE false;
-- SELECT on outbox_control
EXPLAIN SELECT * FROM outbox_control WHERE false;
-- INSERT on outbox_control
EXPLAIN INSERT INTO outbox_control (lane, paused, changed_by) VALUES ('', false, '');
-- UPDATE on outbox_control
EXPLAIN UPDATE outbox_control SET paused = false WHERE false;
-- SELECT on outbox_destination
EXPLAIN SELECT * FROM outbox_destination WHERE false;
-- INSERT on outbox_destination
EXPLAIN INSERT INTO outbox_destination (destination, paused, changed_by) VALUES ('', false, '');
-- UPDATE on outbox_destination
EXPLAIN UPDATE outbox_destination SET paused = false WHERE false;
-- SELECT on outbox_audit
EXPLAIN SELECT * FROM outbox_audit WHERE false;
-- INSERT on outbox_audit
EXPLAIN INSERT INTO outbox_audit (actor, action, subjects, note) VALUES ('', '', '', '');
-- SELECT on outbox_alert
EXPLAIN SELECT * FROM outbox_alert WHERE false;
-- UPDATE on outbox_alert
EXPLAIN UPDATE outbox_alert SET note = '' WHERE false;
-- SELECT on outbox_instance
EXPLAIN SELECT * FROM outbox_instance WHERE false;
-- SELECT on outbox_schema
EXPLAIN SELECT * FROM outbox_schema WHERE false;
-- SELECT on outbox_job
EXPLAIN SELECT * FROM outbox_job WHERE false;
-- INSERT on outbox_job
EXPLAIN INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state) SELECT '', '', '', '', '', 0, false, '' FROM outbox_job WHERE false;
-- UPDATE on outbox_job
EXPLAIN UPDATE outbox_job SET note = '' WHERE false;
