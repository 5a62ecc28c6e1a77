-- A table made with the specification's DDL steps aside for ours. Its index
-- goes with it.

ALTER TABLE outbox_event RENAME TO outbox_event_adopted;
