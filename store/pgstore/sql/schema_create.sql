CREATE TABLE IF NOT EXISTS outbox_schema (
  version    int         PRIMARY KEY,
  name       text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)
