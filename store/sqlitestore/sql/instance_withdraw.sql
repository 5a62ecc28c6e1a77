-- ?1 owner. Also deletes instances not seen for a day.
DELETE FROM outbox_instance
WHERE owner = ?1 OR seen_at < CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - 86400000
