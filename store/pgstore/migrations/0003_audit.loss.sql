-- Who did what.

SELECT count(*), 'entry of the audit log', 'entries of the audit log'
FROM (SELECT 1 FROM outbox_audit LIMIT 10001) a;
