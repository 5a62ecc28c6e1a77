-- Is there an event table that is not ours yet: one of these columns may be
-- another program's, all of them are ours.
SELECT EXISTS (SELECT 1 FROM pragma_table_info('outbox_event'))
  AND (SELECT count(*) < 4 FROM pragma_table_info('outbox_event') WHERE lower(name) IN ('seq', 'locked_until', 'claim_no', 'recovered'))
