SELECT lane FROM outbox_control WHERE paused ORDER BY lane
