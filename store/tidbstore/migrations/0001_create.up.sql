-- The outbox, its dead letters, and what people and instances say about it.
-- Times are UTC. DDL cannot be rolled back here, so every statement may be
-- repeated. Only a few expressions may be a default, and UTC_TIMESTAMP is none of
-- them: whoever leaves a time out has to have the time zone +00:00. The statements
-- of this package leave none out.

-- Events are numbered by one node for all: AUTO_ID_CACHE 1. Otherwise each node
-- would hand out numbers from a range of its own, and seq would say nothing about
-- order. Rows with growing keys would all be written to one region of the cluster:
-- NONCLUSTERED and SHARD_ROW_ID_BITS spread them, payloads and all, and only the
-- short entries of the indexes are neighbours.
--
-- The lane is the event type while the row is pending, null once it is done, and
-- empty otherwise: an index of pending rows. It is of bytes, because the collation
-- ignores spaces at the end. The size is kept because asking for the length of a
-- long payload reads it. The server enforces the CHECK only where
-- tidb_enable_check_constraint is on.
CREATE TABLE IF NOT EXISTS outbox_event (
  seq            BIGINT       NOT NULL AUTO_INCREMENT,
  event_id       VARCHAR(36)  NOT NULL DEFAULT (UUID()),
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64)  DEFAULT '__GLOBAL__',
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  correlation_id VARCHAR(128),
  trace_id       VARCHAR(128),
  payload        LONGTEXT,
  payload_bytes  LONGBLOB,
  payload_size   INT          GENERATED ALWAYS AS (COALESCE(LENGTH(payload), LENGTH(payload_bytes), 0)) STORED,
  headers        LONGTEXT,
  status         TINYINT      NOT NULL DEFAULT 0,
  attempts       INT          NOT NULL DEFAULT 0,
  available_at   DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  occurred_at    DATETIME(6),
  created_at     DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  done_at        DATETIME(6),
  last_error     TEXT,
  failures       MEDIUMTEXT,
  locked_by      VARCHAR(128),
  locked_until   DATETIME(6),
  claim_no       BIGINT       NOT NULL DEFAULT 0,
  recovered      INT          NOT NULL DEFAULT 0,
  lane           VARBINARY(512) GENERATED ALWAYS AS (
    CASE WHEN status IN (0, 2) THEN CONVERT(event_type USING binary) WHEN status = 1 THEN NULL ELSE '' END) STORED,
  PRIMARY KEY (seq) NONCLUSTERED,
  UNIQUE KEY outbox_event_id (event_id),
  KEY outbox_event_pending (lane, available_at, seq),
  CONSTRAINT outbox_event_one_payload CHECK ((payload IS NULL) <> (payload_bytes IS NULL))
) AUTO_ID_CACHE 1, SHARD_ROW_ID_BITS 4, CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_dlq_event (
  event_id       VARCHAR(36)  NOT NULL,
  seq            BIGINT       NOT NULL,
  event_type     VARCHAR(128) NOT NULL,
  aggregate_type VARCHAR(64),
  aggregate_id   VARCHAR(128),
  tenant_id      VARCHAR(64),
  correlation_id VARCHAR(128),
  trace_id       VARCHAR(128),
  payload        LONGTEXT,
  payload_bytes  LONGBLOB,
  headers        LONGTEXT,
  attempts       INT          NOT NULL,
  occurred_at    DATETIME(6),
  created_at     DATETIME(6)  NOT NULL,
  died_at        DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  resolved_at    DATETIME(6),
  last_error     TEXT,
  failures       MEDIUMTEXT,
  claim_no       BIGINT       NOT NULL,
  destination    VARCHAR(255),
  group_id       VARCHAR(16) ,
  status         VARCHAR(16) ,
  note           TEXT,
  noted_by       VARCHAR(255),
  noted_at       DATETIME(6),
  PRIMARY KEY (event_id, seq),
  KEY outbox_dlq_event_group (group_id, resolved_at, died_at, event_id),
  KEY outbox_dlq_event_died (died_at, event_id, resolved_at),
  KEY outbox_dlq_event_lane (event_type, died_at, event_id, resolved_at),
  KEY outbox_dlq_event_tenant (tenant_id, died_at, event_id, resolved_at),
  KEY outbox_dlq_event_key (aggregate_id, died_at, event_id, resolved_at),
  KEY outbox_dlq_event_resolved (resolved_at),
  KEY outbox_dlq_event_status (status)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_dlq_group (
  group_id    VARCHAR(16)  NOT NULL,
  event_type  VARCHAR(128) NOT NULL,
  destination VARCHAR(255) NOT NULL,
  reason      TEXT         NOT NULL,
  first_at    DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  last_at     DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  state       VARCHAR(16)  NOT NULL DEFAULT 'new',
  actor       VARCHAR(255),
  note        TEXT,
  marked_at   DATETIME(6),
  muted_until DATETIME(6),
  PRIMARY KEY (group_id),
  KEY outbox_dlq_group_last (last_at, group_id)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_control (
  lane       VARBINARY(512) NOT NULL,
  paused     TINYINT        NOT NULL,
  changed_by TEXT           NOT NULL,
  changed_at DATETIME(6)    NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (lane)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_instance (
  owner      VARCHAR(128) NOT NULL,
  version    TEXT         NOT NULL,
  lanes      MEDIUMTEXT   NOT NULL,
  started_at DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  seen_at    DATETIME(6)  NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  figures    MEDIUMTEXT,
  PRIMARY KEY (owner)
) CHARACTER SET utf8mb4, COLLATE utf8mb4_bin;
