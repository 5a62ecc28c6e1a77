-- Destinations that people have paused, apart from lanes, which may have the same
-- names; and how relays see their destinations. A column cannot be added twice
-- here, so its table is made anew: then every statement may be repeated.

CREATE TABLE IF NOT EXISTS outbox_destination (
  destination VARCHAR(512) NOT NULL PRIMARY KEY,
  paused      INTEGER      NOT NULL,
  changed_by  TEXT         NOT NULL,
  changed_at  INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER))
);

CREATE TABLE outbox_instance_new (
  owner        VARCHAR(128) NOT NULL PRIMARY KEY,
  version      TEXT         NOT NULL,
  lanes        TEXT         NOT NULL,
  started_at   INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  seen_at      INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  figures      TEXT,
  destinations TEXT
);

INSERT INTO outbox_instance_new (owner, version, lanes, started_at, seen_at, figures)
SELECT owner, version, lanes, started_at, seen_at, figures FROM outbox_instance;

DROP TABLE outbox_instance;

ALTER TABLE outbox_instance_new RENAME TO outbox_instance;
