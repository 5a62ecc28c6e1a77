-- Whether the index of migrations/fair.up.sql exists, and is valid.
SELECT COUNT(*) > 0, COUNT(*) > 0
FROM information_schema.statistics s
WHERE s.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND s.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND s.index_name = TRIM(BOTH '`' FROM 'outbox_event_fair')
