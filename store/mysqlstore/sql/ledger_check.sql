-- Whether there is a ledger.
SELECT EXISTS (SELECT 1 FROM information_schema.columns t
  WHERE t.table_schema = IF(LOCATE('.', 'outbox_consumed_event'), SUBSTRING_INDEX('outbox_consumed_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_consumed_event', '.', -1) AND t.column_name = 'consumer_group')
