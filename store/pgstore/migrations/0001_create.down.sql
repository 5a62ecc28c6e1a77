DROP TABLE IF EXISTS outbox_dlq_group;

DROP TABLE IF EXISTS outbox_instance;

DROP TABLE IF EXISTS outbox_control;

DROP TABLE IF EXISTS outbox_dlq_event;

DROP TABLE IF EXISTS outbox_event;
