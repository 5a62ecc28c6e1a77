-- Sessions that wait for a lock while they use our tables: who, for how many
-- seconds, on what, and for whom. pg_locks is visible to everybody. waitstart is
-- new in PostgreSQL 14.
SELECT concat('session ', w.pid),
  coalesce(max(extract(epoch FROM clock_timestamp() - (to_jsonb(w) ->> 'waitstart')::timestamptz)), 0),
  (SELECT string_agg(DISTINCT l.relation::regclass::text, ', ') FROM pg_locks l
    WHERE l.pid = w.pid AND l.relation IN (to_regclass('outbox_event'), to_regclass('outbox_dlq_event'), to_regclass('outbox_control'),
      to_regclass('outbox_instance'), to_regclass('outbox_consumed_event'), to_regclass('outbox_audit'), to_regclass('outbox_alert'), to_regclass('outbox_job'), to_regclass('outbox_destination'), to_regclass('outbox_schema'))),
  concat('session ', array_to_string(pg_blocking_pids(w.pid), ', '))
FROM pg_locks w
WHERE NOT w.granted AND w.pid <> pg_backend_pid() AND EXISTS (
  SELECT 1 FROM pg_locks l WHERE l.pid = w.pid AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
    AND l.relation IN (to_regclass('outbox_event'), to_regclass('outbox_dlq_event'), to_regclass('outbox_control'),
      to_regclass('outbox_instance'), to_regclass('outbox_consumed_event'), to_regclass('outbox_audit'), to_regclass('outbox_alert'), to_regclass('outbox_job'), to_regclass('outbox_destination'), to_regclass('outbox_schema')))
GROUP BY w.pid
ORDER BY 2 DESC
LIMIT 100
