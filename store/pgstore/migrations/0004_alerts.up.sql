-- What is wrong, and who was told. A row is changed by whoever watches.

CREATE TABLE IF NOT EXISTS outbox_alert (
  alert_id    varchar(16)  COLLATE "C" CONSTRAINT outbox_alert_pkey PRIMARY KEY,
  rule        varchar(32)  NOT NULL,
  subject     varchar(255) NOT NULL,
  severity    varchar(16)  NOT NULL,
  message     text         NOT NULL,
  raised_at   timestamptz  NOT NULL DEFAULT clock_timestamp(),
  seen_at     timestamptz  NOT NULL DEFAULT clock_timestamp(),
  resolved_at timestamptz,
  notify_at   timestamptz  DEFAULT clock_timestamp(),
  notified_at timestamptz,
  notices     integer      NOT NULL DEFAULT 0,
  turn        bigint       NOT NULL DEFAULT 0,
  muted_until timestamptz,
  actor       varchar(255),
  note        text,
  marked_at   timestamptz
);
