-- Dead row versions of our tables.
SELECT s.relname, 'row versions', s.n_live_tup, s.n_dead_tup,
  CASE WHEN greatest(s.last_autovacuum, s.last_vacuum) IS NULL THEN 'never vacuumed'
    ELSE concat('vacuumed ', to_char(greatest(s.last_autovacuum, s.last_vacuum) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), ' UTC') END,
  concat('see what keeps autovacuum from it (a long transaction, autovacuum_enabled = off), then VACUUM (ANALYZE) ', s.schemaname, '.', s.relname)
FROM pg_stat_user_tables s
WHERE s.relid IN (to_regclass('outbox_event'), to_regclass('outbox_dlq_event'), to_regclass('outbox_consumed_event'))
ORDER BY s.n_dead_tup DESC
