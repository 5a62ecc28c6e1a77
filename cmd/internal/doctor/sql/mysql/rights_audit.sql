-- SELECT on outbox_audit
EXPLAIN SELECT * FROM outbox_audit WHERE false;
-- DELETE on outbox_audit
EXPLAIN DELETE FROM outbox_audit WHERE false;
