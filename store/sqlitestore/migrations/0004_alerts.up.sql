-- What is wrong, and who was told. A row is changed by whoever watches.

CREATE TABLE IF NOT EXISTS outbox_alert (
  alert_id    VARCHAR(16)  NOT NULL PRIMARY KEY,
  rule        VARCHAR(32)  NOT NULL,
  subject     VARCHAR(255) NOT NULL,
  severity    VARCHAR(16)  NOT NULL,
  message     TEXT         NOT NULL,
  raised_at   INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  seen_at     INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  resolved_at INTEGER,
  notify_at   INTEGER      DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  notified_at INTEGER,
  notices     INTEGER      NOT NULL DEFAULT 0,
  turn        INTEGER      NOT NULL DEFAULT 0,
  muted_until INTEGER,
  actor       VARCHAR(255),
  note        TEXT,
  marked_at   INTEGER
);
