-- Is there an event table that is not ours yet.
SELECT EXISTS (SELECT 1 FROM pragma_table_info('outbox_event'))
  AND NOT EXISTS (SELECT 1 FROM pragma_table_info('outbox_event') WHERE name = 'claim_no')
