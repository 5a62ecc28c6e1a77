SELECT version, name, applied_at FROM outbox_schema ORDER BY version
