DELETE FROM outbox_control WHERE kind <> 'lane';

ALTER TABLE outbox_control
  DROP CONSTRAINT outbox_control_pkey,
  DROP COLUMN kind,
  ALTER COLUMN name TYPE varchar(128) COLLATE "C",
  ADD CONSTRAINT outbox_control_pkey PRIMARY KEY (name);

ALTER TABLE outbox_control RENAME COLUMN name TO lane;

ALTER TABLE outbox_instance DROP COLUMN destinations;
