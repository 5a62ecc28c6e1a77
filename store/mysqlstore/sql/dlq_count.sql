-- ?1 lane, ?2 text in the error, ?3 resolved, ?4 died before, ?5 died after, ?6
-- where to stop counting. Equality ignores spaces at the end of a lane, hence
-- the additional comparison of bytes.
SELECT COUNT(*) FROM (
  SELECT 1 FROM outbox_dlq_event d
  WHERE (CHAR_LENGTH(?1) = 0 OR (d.event_type = ?1 AND CAST(d.event_type AS BINARY) = ?1))
    AND (CHAR_LENGTH(?2) = 0 OR LOCATE(?2, d.last_error) > 0)
    AND (d.resolved_at IS NOT NULL) = ?3
    AND (?4 IS NULL OR d.died_at < ?4)
    AND (?5 IS NULL OR d.died_at > ?5)
  LIMIT ?6) s
