-- Is there an event table that is not ours yet, or not wholly: the last thing
-- that it gets is a default for the event id.
SELECT EXISTS (SELECT 1 FROM information_schema.columns t
  WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
    AND t.column_name = 'event_id' AND t.column_default IS NULL)
