-- Held until the end of the transaction; no row while another instance sweeps.
SELECT version FROM outbox_schema ORDER BY version LIMIT 1 FOR UPDATE SKIP LOCKED
