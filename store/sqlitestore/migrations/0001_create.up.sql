-- The outbox, its dead letters, and what people and instances say about it.
-- Times are milliseconds since 1970, computed in the defaults so that programs
-- with an older SQLite can INSERT, too. AUTOINCREMENT: a seq that came back after
-- a delete would let an old answer settle a new row.

CREATE TABLE IF NOT EXISTS outbox_event (
  seq            INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id       VARCHAR(36)  NOT NULL DEFAULT (lower(hex(randomblob(16)))),
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64)  DEFAULT '__GLOBAL__',
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  correlation_id VARCHAR(128),
  trace_id       VARCHAR(128),
  payload        TEXT,
  payload_bytes  BLOB,
  headers        TEXT,
  status         INTEGER      NOT NULL DEFAULT 0,
  attempts       INTEGER      NOT NULL DEFAULT 0,
  available_at   INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  occurred_at    INTEGER,
  created_at     INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  done_at        INTEGER,
  last_error     TEXT,
  failures       TEXT,
  locked_by      VARCHAR(128),
  locked_until   INTEGER,
  claim_no       INTEGER      NOT NULL DEFAULT 0,
  recovered      INTEGER      NOT NULL DEFAULT 0,
  CONSTRAINT outbox_event_id UNIQUE (event_id),
  CONSTRAINT outbox_event_time CHECK (typeof(available_at) <> 'text' OR julianday(available_at) IS NOT NULL),
  CONSTRAINT outbox_event_one_payload CHECK ((payload IS NULL) <> (payload_bytes IS NULL))
);

CREATE INDEX IF NOT EXISTS outbox_event_pending ON outbox_event (event_type, available_at, seq) WHERE status IN (0, 2);

CREATE INDEX IF NOT EXISTS outbox_event_done ON outbox_event (done_at) WHERE status = 1;

CREATE INDEX IF NOT EXISTS outbox_event_foreign_dead ON outbox_event (seq) WHERE status = 3;

-- Other programs write times as text, as CURRENT_TIMESTAMP does. Text is greater
-- than any number, so such a row would never be due: the next claim finds it
-- here and puts a number in its place.

CREATE INDEX IF NOT EXISTS outbox_event_foreign_times ON outbox_event (seq) WHERE status IN (0, 2) AND typeof(available_at) = 'text';

CREATE TABLE IF NOT EXISTS outbox_dlq_event (
  event_id       VARCHAR(36)  NOT NULL,
  seq            INTEGER      NOT NULL,
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  correlation_id VARCHAR(128),
  trace_id       VARCHAR(128),
  payload        TEXT,
  payload_bytes  BLOB,
  headers        TEXT,
  attempts       INTEGER      NOT NULL,
  occurred_at    INTEGER,
  created_at     INTEGER      NOT NULL,
  died_at        INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  resolved_at    INTEGER,
  last_error     TEXT,
  failures       TEXT,
  claim_no       INTEGER      NOT NULL,
  destination    VARCHAR(255),
  group_id       VARCHAR(16),
  status         VARCHAR(16),
  note           TEXT,
  noted_by       VARCHAR(255),
  noted_at       INTEGER,
  CONSTRAINT outbox_dlq_event_id PRIMARY KEY (event_id, seq)
);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_died ON outbox_dlq_event (died_at, event_id, resolved_at);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_lane ON outbox_dlq_event (event_type, died_at, event_id, resolved_at);

CREATE INDEX IF NOT EXISTS outbox_dlq_event_tenant ON outbox_dlq_event (tenant_id, died_at, event_id, resolved_at) WHERE tenant_id IS NOT NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_key ON outbox_dlq_event (aggregate_id, died_at, event_id, resolved_at) WHERE aggregate_id IS NOT NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_resolved ON outbox_dlq_event (resolved_at) WHERE resolved_at IS NOT NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_group ON outbox_dlq_event (group_id, died_at, event_id) WHERE resolved_at IS NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_ungrouped ON outbox_dlq_event (seq) WHERE group_id IS NULL;

CREATE INDEX IF NOT EXISTS outbox_dlq_event_status ON outbox_dlq_event (status) WHERE status IS NOT NULL;

CREATE TABLE IF NOT EXISTS outbox_dlq_group (
  group_id    VARCHAR(16)  NOT NULL PRIMARY KEY,
  event_type  VARCHAR(128) NOT NULL,
  destination VARCHAR(255) NOT NULL,
  reason      TEXT         NOT NULL,
  first_at    INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  last_at     INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  state       VARCHAR(16)  NOT NULL DEFAULT 'new',
  actor       VARCHAR(255),
  note        TEXT,
  marked_at   INTEGER,
  muted_until INTEGER
);

CREATE INDEX IF NOT EXISTS outbox_dlq_group_last ON outbox_dlq_group (last_at, group_id);

CREATE TABLE IF NOT EXISTS outbox_control (
  lane       VARCHAR(128) NOT NULL PRIMARY KEY,
  paused     INTEGER      NOT NULL,
  changed_by TEXT         NOT NULL,
  changed_at INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER))
);

CREATE TABLE IF NOT EXISTS outbox_instance (
  owner      VARCHAR(128) NOT NULL PRIMARY KEY,
  version    TEXT         NOT NULL,
  lanes      TEXT         NOT NULL,
  started_at INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  seen_at    INTEGER      NOT NULL DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)),
  figures    TEXT
);
