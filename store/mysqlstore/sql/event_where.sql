-- Parameters as in event_list.sql.
FORCE INDEX (PRIMARY)
WHERE e.seq < ?7 AND e.seq >= ?8
  AND (CHAR_LENGTH(?1) = 0 OR CONVERT(e.event_type USING binary) = ?1)
  AND (CHAR_LENGTH(?2) = 0 OR CONVERT(e.tenant_id USING binary) = ?2)
  AND (CHAR_LENGTH(?3) = 0 OR CONVERT(e.aggregate_id USING binary) = ?3)
  AND (CHAR_LENGTH(?4) = 0 OR ?4 =
-- include: event_state
  )
  AND (?5 IS NULL OR e.created_at > ?5)
  AND (?6 IS NULL OR e.created_at < ?6)
  AND (CHAR_LENGTH(?9) = 0 OR e.headers IS NULL OR e.headers <> ?9)
