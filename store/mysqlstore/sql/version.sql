SELECT COALESCE(MAX(version), 0) FROM outbox_schema
