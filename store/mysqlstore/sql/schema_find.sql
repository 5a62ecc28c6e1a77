-- ?1 name of a schema, which is a database here. One without any right to it is
-- not shown.
SELECT s.schema_name FROM information_schema.schemata s WHERE s.schema_name = ?1
