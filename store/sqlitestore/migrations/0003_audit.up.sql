-- What people changed. A change and its entry are one transaction.

CREATE TABLE IF NOT EXISTS outbox_audit (
  audit_id INTEGER      PRIMARY KEY AUTOINCREMENT,
  acted_at INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  actor    VARCHAR(255) NOT NULL,
  action   VARCHAR(32)  NOT NULL,
  subjects TEXT         NOT NULL,
  note     TEXT         NOT NULL
);
