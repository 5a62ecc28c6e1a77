-- Whether there is an event table that is not ours yet, or not completely: the
-- last thing it gets is a default for the event id. MariaDB shows the word NULL
-- if a nullable column has none. Another program's table may have one of our
-- columns; only ours has all of them. The names are repeated because MariaDB
-- otherwise reads about every table of the server.
SELECT EXISTS (SELECT 1 FROM information_schema.tables t
  LEFT JOIN information_schema.columns id
    ON id.table_schema = t.table_schema AND id.table_name = t.table_name AND id.column_name = 'event_id'
  WHERE t.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND t.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
    AND (id.column_default IS NULL OR id.column_default = 'NULL'
      OR (SELECT COUNT(*) FROM information_schema.columns ours
        WHERE ours.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
          AND ours.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
          AND ours.column_name IN ('seq', 'locked_until', 'claim_no', 'recovered', 'lane', 'payload_size')) < 6))
