-- What keeps vacuum from removing row versions: open transactions of this
-- database, prepared ones, and replication slots. Who, for how many seconds (null:
-- hidden from this user), and how to end it.
SELECT concat('session ', a.pid, ' of ' || a.usename, ' (' || nullif(a.application_name, '') || ')', ', ' || a.state),
  extract(epoch FROM clock_timestamp() - a.xact_start), concat('SELECT pg_terminate_backend(', a.pid, ')')
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL)
  AND coalesce(a.backend_type, 'client backend') = 'client backend'
UNION ALL
SELECT concat('prepared transaction ', p.gid, ' of ', p.owner), extract(epoch FROM clock_timestamp() - p.prepared), concat('ROLLBACK PREPARED ', quote_literal(p.gid))
FROM pg_prepared_xacts p WHERE p.database = current_database()
UNION ALL
-- A slot has no time: age() of its xmin counts transactions, and a million is old.
SELECT concat('replication slot ', s.slot_name), CASE WHEN age(s.xmin) > 1000000 THEN 1e9 ELSE 0 END, concat('SELECT pg_drop_replication_slot(', quote_literal(s.slot_name), ')')
FROM pg_replication_slots s WHERE s.xmin IS NOT NULL
ORDER BY 2 DESC NULLS LAST
LIMIT 100
