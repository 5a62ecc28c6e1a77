-- ?1 name of a schema, which is a database here. The catalog hides it from a
-- user without rights to it.
SELECT s.schema_name FROM information_schema.schemata s WHERE s.schema_name = ?1
