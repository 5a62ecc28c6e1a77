-- Changes of many rows that one process makes in batches. A row is changed by
-- whoever runs the job, and by people who allow or cancel it.

CREATE TABLE IF NOT EXISTS outbox_job (
  job_id       VARCHAR(36)  NOT NULL,
  action       VARCHAR(32)  NOT NULL,
  spec         TEXT         NOT NULL,
  actor        VARCHAR(255) NOT NULL,
  note         TEXT         NOT NULL,
  matches      BIGINT       NOT NULL,
  matches_more BOOLEAN      NOT NULL,
  state        VARCHAR(16)  NOT NULL,
  turn         BIGINT       NOT NULL DEFAULT 0,
  owner        VARCHAR(128),
  held_until   DATETIME(6),
  reached      TEXT,
  applied      BIGINT       NOT NULL DEFAULT 0,
  conflicts    BIGINT       NOT NULL DEFAULT 0,
  gone         BIGINT       NOT NULL DEFAULT 0,
  decided_by   VARCHAR(255),
  error        TEXT,
  created_at   DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  changed_at   DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  ended_at     DATETIME(6),
  PRIMARY KEY (job_id)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;
