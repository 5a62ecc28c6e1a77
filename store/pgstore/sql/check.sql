-- $1 the qualified names of the event table and $2 of the schema table. Cannot
-- fail on missing tables, so it leaves the caller's transaction as it was: kind
-- of the event table ('r' for a plain one, null if missing), and whether the
-- schema table exists.
SELECT (SELECT c.relkind::text FROM pg_class c WHERE c.oid = to_regclass($1::text)),
  to_regclass($2::text) IS NOT NULL
