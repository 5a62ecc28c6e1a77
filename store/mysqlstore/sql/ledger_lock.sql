-- Held until the end of the transaction; no row while another instance forgets.
SELECT version FROM outbox_schema WHERE version = 2 FOR UPDATE SKIP LOCKED
