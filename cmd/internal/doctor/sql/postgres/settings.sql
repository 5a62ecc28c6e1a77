SELECT 'in_recovery', pg_is_in_recovery()::text
UNION ALL
SELECT s.name, s.setting FROM pg_settings s
WHERE s.name IN ('default_transaction_read_only', 'fsync', 'synchronous_commit', 'autovacuum', 'track_counts')
