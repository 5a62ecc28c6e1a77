-- Changes of many rows that one process makes in batches. A row is changed by
-- whoever runs the job, and by people who allow or cancel it.

CREATE TABLE IF NOT EXISTS outbox_job (
  job_id       varchar(36)  COLLATE "C" CONSTRAINT outbox_job_pkey PRIMARY KEY,
  action       varchar(32)  NOT NULL,
  spec         text         NOT NULL,
  actor        varchar(255) NOT NULL,
  note         text         NOT NULL,
  matches      bigint       NOT NULL,
  matches_more boolean      NOT NULL,
  state        varchar(16)  NOT NULL,
  turn         bigint       NOT NULL DEFAULT 0,
  owner        varchar(128),
  held_until   timestamptz,
  reached      text,
  applied      bigint       NOT NULL DEFAULT 0,
  conflicts    bigint       NOT NULL DEFAULT 0,
  gone         bigint       NOT NULL DEFAULT 0,
  decided_by   varchar(255),
  error        text,
  created_at   timestamptz  NOT NULL DEFAULT clock_timestamp(),
  changed_at   timestamptz  NOT NULL DEFAULT clock_timestamp(),
  ended_at     timestamptz
);
