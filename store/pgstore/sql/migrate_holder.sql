-- Who holds the migration lock, and how to end that session.
SELECT concat('connection ', l.pid, ' of ' || a.usename, ' at ' || host(a.client_addr), ', ' || a.state, ' since ' || a.state_change),
  concat('SELECT pg_terminate_backend(', l.pid, ')')
FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
  AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
  AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('outbox_event', 20051)
