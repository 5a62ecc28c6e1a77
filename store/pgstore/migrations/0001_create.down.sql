DROP TABLE outbox_instance;

DROP TABLE outbox_control;

DROP TABLE outbox_dlq_event;

DROP TABLE outbox_event;
