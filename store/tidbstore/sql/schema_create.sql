CREATE TABLE IF NOT EXISTS outbox_schema (
  version    INT          NOT NULL,
  name       VARCHAR(128) NOT NULL,
  applied_at DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (version)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin
