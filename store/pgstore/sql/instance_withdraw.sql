-- $1 owner. Those not seen for a day go too.
DELETE FROM outbox_instance
WHERE owner = $1::text OR seen_at < clock_timestamp() - interval '1 day'
