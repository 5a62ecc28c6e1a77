-- $1 name of a schema.
SELECT n.nspname FROM pg_namespace n WHERE n.nspname = $1::text
