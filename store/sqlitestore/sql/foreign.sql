-- Whether there is an event table that is not ours yet. Another program's table
-- may have one of these columns; only ours has all of them.
SELECT EXISTS (SELECT 1 FROM pragma_table_info('outbox_event'))
  AND (SELECT count(*) < 4 FROM pragma_table_info('outbox_event') WHERE lower(name) IN ('seq', 'locked_until', 'claim_no', 'recovered'))
