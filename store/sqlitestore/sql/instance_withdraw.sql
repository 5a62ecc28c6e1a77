-- ?1 owner. Those not seen for a day go too.
DELETE FROM outbox_instance
WHERE owner = ?1 OR seen_at < CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - 86400000
