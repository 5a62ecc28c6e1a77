-- What consumer groups have had, in the database of the effects. The token names
-- the statement that wrote the row: an INSERT of many rows says how many were
-- new, and not which.

CREATE TABLE IF NOT EXISTS outbox_consumed_event (
  consumer_group VARCHAR(128) NOT NULL,
  event_id       VARCHAR(36)  NOT NULL,
  consumed_at    DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  token          BIGINT,
  PRIMARY KEY (consumer_group, event_id),
  KEY outbox_consumed_event_age (consumer_group, consumed_at)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;
