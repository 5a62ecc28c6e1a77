-- Changes of many rows that one process makes in batches. A row is changed by
-- whoever runs the job, and by people who allow or cancel it.

CREATE TABLE IF NOT EXISTS outbox_job (
  job_id       VARCHAR(36)  NOT NULL PRIMARY KEY,
  action       VARCHAR(32)  NOT NULL,
  spec         TEXT         NOT NULL,
  actor        VARCHAR(255) NOT NULL,
  note         TEXT         NOT NULL,
  matches      INTEGER      NOT NULL,
  matches_more INTEGER      NOT NULL,
  state        VARCHAR(16)  NOT NULL,
  turn         INTEGER      NOT NULL DEFAULT 0,
  owner        VARCHAR(128),
  held_until   INTEGER,
  reached      TEXT,
  applied      INTEGER      NOT NULL DEFAULT 0,
  conflicts    INTEGER      NOT NULL DEFAULT 0,
  gone         INTEGER      NOT NULL DEFAULT 0,
  decided_by   VARCHAR(255),
  error        TEXT,
  created_at   INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  changed_at   INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  ended_at     INTEGER
);
