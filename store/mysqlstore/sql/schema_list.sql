SELECT version, name, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', applied_at) FROM outbox_schema ORDER BY version
