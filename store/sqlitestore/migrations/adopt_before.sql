-- A table made with the specification's DDL steps aside for ours.

ALTER TABLE outbox_event RENAME TO outbox_event_adopted;

DROP INDEX IF EXISTS idx_status_available;
