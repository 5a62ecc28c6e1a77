SELECT 'destination', destination, changed_by, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', changed_at) FROM outbox_destination WHERE paused
UNION ALL
SELECT 'lane', lane, changed_by, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', changed_at) FROM outbox_control WHERE paused
ORDER BY 1, 2
