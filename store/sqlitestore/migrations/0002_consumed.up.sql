-- What consumer groups have had, in the database of the effects.

CREATE TABLE IF NOT EXISTS outbox_consumed_event (
  consumer_group VARCHAR(128) NOT NULL,
  event_id       VARCHAR(36)  NOT NULL,
  consumed_at    INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  PRIMARY KEY (consumer_group, event_id)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS outbox_consumed_event_age ON outbox_consumed_event (consumer_group, consumed_at);
