-- What people changed. A change and its entry are one transaction.

CREATE TABLE IF NOT EXISTS outbox_audit (
  audit_id BIGINT       NOT NULL AUTO_INCREMENT,
  acted_at DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  actor    VARCHAR(255) NOT NULL,
  action   VARCHAR(32)  NOT NULL,
  subjects LONGTEXT     NOT NULL,
  note     TEXT         NOT NULL,
  PRIMARY KEY (audit_id)
) AUTO_ID_CACHE 1, CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;
