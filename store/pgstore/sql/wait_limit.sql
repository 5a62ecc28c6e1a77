-- $1 how long to wait for a lock, $2 how long a statement may take and the
-- client may be silent, in milliseconds, in place of the role's own limits.
-- They end with the transaction, so a pooler may give the connection to another
-- client. transaction_timeout, new in PostgreSQL 17, can be disabled while a
-- transaction runs, but not changed.
SELECT set_config('lock_timeout', $1::bigint::text, true),
  set_config('statement_timeout', $2::bigint::text, true),
  set_config('idle_in_transaction_session_timeout', $2::bigint::text, true),
  CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL THEN set_config('transaction_timeout', '0', true) END
