-- Held until the end of the transaction; no row while another instance sweeps.
-- It must be one fixed row: among several, SKIP LOCKED would find the next free
-- one.
SELECT version FROM outbox_schema
WHERE version = (SELECT min(version) FROM outbox_schema)
FOR UPDATE SKIP LOCKED
