-- ?1 owner. Also deletes instances not seen for a day.
DELETE FROM outbox_instance
WHERE owner = ?1 OR seen_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
