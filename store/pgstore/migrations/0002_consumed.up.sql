-- What consumer groups have had, in the database of the effects.

CREATE TABLE IF NOT EXISTS outbox_consumed_event (
  consumer_group varchar(128) COLLATE "C" NOT NULL,
  event_id       varchar(36)  COLLATE "C" NOT NULL,
  consumed_at    timestamptz  NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_consumed_event_pkey PRIMARY KEY (consumer_group, event_id)
);

CREATE INDEX IF NOT EXISTS outbox_consumed_event_age ON outbox_consumed_event (consumer_group, consumed_at);
