-- Is there an event table, is it a plain one, is there a version table, may it
-- be read. Cannot fail, so it leaves the caller's transaction as it was.
SELECT to_regclass('outbox_event') IS NOT NULL,
  coalesce((SELECT c.relkind = 'r' AND NOT c.relhassubclass FROM pg_class c WHERE c.oid = to_regclass('outbox_event')), false),
  to_regclass('outbox_schema') IS NOT NULL,
  coalesce(has_table_privilege(to_regclass('outbox_schema'), 'SELECT'), false)
