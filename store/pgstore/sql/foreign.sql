-- Is there an event table that is not ours yet.
SELECT to_regclass('outbox_event') IS NOT NULL AND NOT EXISTS (
  SELECT FROM pg_attribute a
  WHERE a.attrelid = to_regclass('outbox_event') AND a.attname = 'claim_no' AND NOT a.attisdropped)
