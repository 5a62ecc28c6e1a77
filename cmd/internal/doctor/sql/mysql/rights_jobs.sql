-- DELETE on outbox_job
EXPLAIN DELETE FROM outbox_job WHERE false;
