-- Whether the event table exists and is an ordinary table, and whether the
-- version table exists and is readable. It cannot fail, so it leaves the
-- caller's transaction usable.
SELECT to_regclass('outbox_event') IS NOT NULL,
  coalesce((SELECT c.relkind = 'r' AND NOT c.relhassubclass FROM pg_class c WHERE c.oid = to_regclass('outbox_event')), false),
  to_regclass('outbox_schema') IS NOT NULL,
  coalesce(has_table_privilege(to_regclass('outbox_schema'), 'SELECT'), false)
