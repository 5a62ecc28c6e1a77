-- A destination can be paused as well as a lane, which may have the same name;
-- and relays say how they see their destinations. A key cannot be altered here.

CREATE TABLE outbox_control_new (
  kind       VARCHAR(16)  NOT NULL DEFAULT 'lane',
  name       VARCHAR(512) NOT NULL,
  paused     INTEGER      NOT NULL,
  changed_by TEXT         NOT NULL,
  changed_at INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  PRIMARY KEY (kind, name)
);

INSERT INTO outbox_control_new (name, paused, changed_by, changed_at)
SELECT lane, paused, changed_by, changed_at FROM outbox_control;

DROP TABLE outbox_control;

ALTER TABLE outbox_control_new RENAME TO outbox_control;

ALTER TABLE outbox_instance ADD COLUMN destinations TEXT;
