-- In milliseconds; 0 is no limit.
SELECT s.name, s.setting FROM pg_settings s
WHERE s.name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout', 'idle_session_timeout')
ORDER BY s.name DESC
