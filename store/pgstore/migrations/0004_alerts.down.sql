DROP TABLE IF EXISTS outbox_alert;
