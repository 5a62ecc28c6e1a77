SELECT kind, name, changed_by, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', changed_at) FROM outbox_control WHERE paused ORDER BY kind, name
