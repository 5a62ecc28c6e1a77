SELECT kind, name, changed_by, changed_at * 1000 FROM outbox_control WHERE paused ORDER BY kind, name
