-- ?1 lane, ?2 text in the error, ?3 resolved, ?4 died before, ?5 died after, ?6
-- where to stop counting.
SELECT count(*) FROM (
  SELECT 1 FROM outbox_dlq_event
  WHERE (?1 = '' OR event_type = ?1)
    AND (?2 = '' OR instr(last_error, ?2) > 0)
    AND (resolved_at IS NOT NULL) = ?3
    AND (?4 IS NULL OR died_at < (?4 + 999) / 1000)
    AND (?5 IS NULL OR died_at > ?5 / 1000)
  LIMIT ?6)
