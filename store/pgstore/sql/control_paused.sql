SELECT kind, name, changed_by, changed_at FROM outbox_control WHERE paused ORDER BY kind, name
