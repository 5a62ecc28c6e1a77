-- Held until the end of the transaction; no row while another instance sweeps.
-- One certain row: among several, the next free one would be found.
SELECT version FROM outbox_schema
WHERE version = (SELECT min(version) FROM outbox_schema)
FOR UPDATE SKIP LOCKED
