-- A destination can be paused as well as a lane, which may have the same name;
-- and relays say how they see their destinations.

ALTER TABLE outbox_control RENAME COLUMN lane TO name;

ALTER TABLE outbox_control
  ALTER COLUMN name TYPE varchar(512) COLLATE "C",
  ADD COLUMN kind varchar(16) COLLATE "C" NOT NULL DEFAULT 'lane',
  DROP CONSTRAINT outbox_control_pkey,
  ADD CONSTRAINT outbox_control_pkey PRIMARY KEY (kind, name);

ALTER TABLE outbox_instance ADD COLUMN destinations text;
