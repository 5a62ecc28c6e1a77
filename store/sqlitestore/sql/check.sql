-- Is there an event table, is it a plain one, is there a version table, may it
-- be read.
SELECT
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_event'),
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_event' AND type = 'table'),
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_schema'),
  EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_schema')
