-- Held until the end of the transaction, one for each outbox.
SELECT pg_try_advisory_xact_lock(hashtextextended('outbox_event', 20051))
