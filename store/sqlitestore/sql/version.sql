SELECT coalesce(max(version), 0) FROM outbox_schema
