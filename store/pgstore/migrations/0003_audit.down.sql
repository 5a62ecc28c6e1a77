DROP TABLE IF EXISTS outbox_audit;
