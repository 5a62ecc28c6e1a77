-- Whether the event table exists and is an ordinary table, and whether the
-- version table exists and is readable.
SELECT
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_event'),
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_event' AND type = 'table'),
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_schema'),
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_schema')
