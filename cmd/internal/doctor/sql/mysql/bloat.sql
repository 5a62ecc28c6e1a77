-- Free space inside our tables' files. A tablespace that tables share counts for
-- each of them.
SELECT t.table_name, 'bytes', t.data_length + t.index_length, t.data_free, '', CONCAT('OPTIMIZE TABLE ', t.table_name, ' in a quiet time: it rebuilds the table')
FROM information_schema.tables t
WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
  AND t.table_name IN (SUBSTRING_INDEX('outbox_event', '.', -1), SUBSTRING_INDEX('outbox_dlq_event', '.', -1), SUBSTRING_INDEX('outbox_consumed_event', '.', -1))
ORDER BY t.data_free DESC
