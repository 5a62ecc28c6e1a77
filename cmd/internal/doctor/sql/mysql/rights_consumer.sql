-- SELECT on outbox_consumed_event
EXPLAIN SELECT consumer_group, event_id FROM outbox_consumed_event WHERE false;
-- INSERT on outbox_consumed_event
EXPLAIN INSERT INTO outbox_consumed_event (consumer_group, event_id) VALUES ('', '');
