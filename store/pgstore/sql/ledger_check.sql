-- Whether there is a ledger. It cannot fail, so it leaves the caller's
-- transaction usable.
SELECT to_regclass('outbox_consumed_event') IS NOT NULL
