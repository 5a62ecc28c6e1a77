-- Whether there is a ledger.
SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'outbox_consumed_event')
