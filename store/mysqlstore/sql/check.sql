-- Is there an event table, is it a plain one, is it of ours, may the version be
-- read. The catalog shows only what one has a right to, and a writer needs none
-- to the version table: that the event table is ours is seen by its columns.
SELECT
  EXISTS (SELECT 1 FROM information_schema.tables t
    WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)),
  EXISTS (SELECT 1 FROM information_schema.tables t
    WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND t.table_type = 'BASE TABLE'),
  EXISTS (SELECT 1 FROM information_schema.columns t
    WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1) AND t.column_name = 'claim_no'),
  EXISTS (SELECT 1 FROM information_schema.tables t
    WHERE t.table_schema = IF(LOCATE('.', 'outbox_schema'), SUBSTRING_INDEX('outbox_schema', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_schema', '.', -1))
