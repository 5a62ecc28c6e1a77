-- Destinations that people have paused, apart from lanes, which may have the same
-- names; and how relays see their destinations.

CREATE TABLE IF NOT EXISTS outbox_destination (
  destination varchar(512) COLLATE "C" CONSTRAINT outbox_destination_pkey PRIMARY KEY,
  paused      boolean      NOT NULL,
  changed_by  text         NOT NULL,
  changed_at  timestamptz  NOT NULL DEFAULT clock_timestamp()
);

ALTER TABLE outbox_instance ADD COLUMN IF NOT EXISTS destinations text;
