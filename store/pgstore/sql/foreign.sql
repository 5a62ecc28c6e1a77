-- Whether there is an event table that is not ours yet. Another program's table
-- may have one of these columns; only ours has all of them.
SELECT to_regclass('outbox_event') IS NOT NULL AND (
  SELECT count(*) < 4 FROM pg_attribute a
  WHERE a.attrelid = to_regclass('outbox_event') AND a.attname IN ('seq', 'locked_until', 'claim_no', 'recovered') AND NOT a.attisdropped)
