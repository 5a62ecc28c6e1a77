-- Is there a ledger. Cannot fail, so it leaves the caller's transaction as it
-- was.
SELECT to_regclass('outbox_consumed_event') IS NOT NULL
