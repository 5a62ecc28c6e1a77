SELECT 'destination', destination, changed_by, changed_at FROM outbox_destination WHERE paused
UNION ALL
SELECT 'lane', lane, changed_by, changed_at FROM outbox_control WHERE paused
ORDER BY 1, 2
