-- Whether the event table exists, is an ordinary table and is ours, and whether
-- the version is readable. The catalog shows only tables that the user has
-- rights to, and a writer needs none to the version table: the columns show
-- whether the event table is ours.
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
