CREATE TABLE outbox_control_old (
  lane       VARCHAR(128) NOT NULL PRIMARY KEY,
  paused     INTEGER      NOT NULL,
  changed_by TEXT         NOT NULL,
  changed_at INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER))
);

INSERT INTO outbox_control_old (lane, paused, changed_by, changed_at)
SELECT name, paused, changed_by, changed_at FROM outbox_control WHERE kind = 'lane';

DROP TABLE outbox_control;

ALTER TABLE outbox_control_old RENAME TO outbox_control;

ALTER TABLE outbox_instance DROP COLUMN destinations;
