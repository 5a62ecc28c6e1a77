-- Until the end of the transaction, a statement that may be in vain waits no longer for
-- a lock. There is no NOWAIT for an INSERT.
SELECT set_config('lock_timeout', '50ms', true)
