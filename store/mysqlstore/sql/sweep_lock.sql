-- Held until the end of the transaction; no row while another instance sweeps.
-- It is found by key: otherwise SKIP LOCKED would go on to the next version.
SELECT version FROM outbox_schema WHERE version = 1 FOR UPDATE SKIP LOCKED
