DROP TABLE IF EXISTS outbox_consumed_event;
