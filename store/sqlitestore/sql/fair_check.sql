-- Whether the index of migrations/fair.up.sql exists, and is valid.
SELECT count(*) > 0, count(*) > 0 FROM sqlite_schema WHERE type = 'index' AND name = trim('outbox_event_fair', '"')
