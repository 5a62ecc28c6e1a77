SELECT version, name, applied_at * 1000 FROM outbox_schema ORDER BY version
