-- Destinations that people have paused, apart from lanes, which may have the same
-- names; and how relays see their destinations. Every statement may be repeated.

CREATE TABLE IF NOT EXISTS outbox_destination (
  destination VARBINARY(2048) NOT NULL,
  paused      TINYINT         NOT NULL,
  changed_by  TEXT            NOT NULL,
  changed_at  DATETIME(6)     NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (destination)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;

ALTER TABLE outbox_instance ADD COLUMN IF NOT EXISTS destinations MEDIUMTEXT;
