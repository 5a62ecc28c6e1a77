-- Rows and bytes of the event table. MySQL updates them once a day.
SELECT t.table_rows, t.data_length + t.index_length
FROM information_schema.tables t
WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
