-- Parameters as in event_list.sql.
FORCE INDEX (PRIMARY)
WHERE e.seq < ?7 AND e.seq >= ?8
  AND (CHAR_LENGTH(?1) = 0 OR CAST(e.event_type AS BINARY) = ?1)
  AND (CHAR_LENGTH(?2) = 0 OR CAST(e.tenant_id AS BINARY) = ?2)
  AND (CHAR_LENGTH(?3) = 0 OR CAST(e.aggregate_id AS BINARY) = ?3)
  AND (CHAR_LENGTH(?4) = 0 OR ?4 =
-- include: event_state
  )
  AND (?5 IS NULL OR e.created_at > ?5)
  AND (?6 IS NULL OR e.created_at < ?6)
