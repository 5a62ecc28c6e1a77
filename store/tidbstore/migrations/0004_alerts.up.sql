-- What is wrong, and who was told. A row is changed by whoever watches.

CREATE TABLE IF NOT EXISTS outbox_alert (
  alert_id    VARCHAR(16)  NOT NULL,
  rule        VARCHAR(32)  NOT NULL,
  subject     VARCHAR(255) NOT NULL,
  severity    VARCHAR(16)  NOT NULL,
  message     TEXT         NOT NULL,
  raised_at   DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  seen_at     DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  resolved_at DATETIME(6),
  notify_at   DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6),
  notified_at DATETIME(6),
  notices     INT          NOT NULL DEFAULT 0,
  turn        BIGINT       NOT NULL DEFAULT 0,
  muted_until DATETIME(6),
  actor       VARCHAR(255),
  note        TEXT,
  marked_at   DATETIME(6),
  PRIMARY KEY (alert_id)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;
