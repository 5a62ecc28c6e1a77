DROP TABLE IF EXISTS outbox_destination;

ALTER TABLE outbox_instance DROP COLUMN destinations;
