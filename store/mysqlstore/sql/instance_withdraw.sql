-- ?1 owner. Those not seen for a day go too.
DELETE FROM outbox_instance
WHERE owner = ?1 OR seen_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
