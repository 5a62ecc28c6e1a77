-- Parameters as in event_list.sql.
WHERE e.seq < ?7 AND e.seq >= ?8
  AND (?1 = '' OR e.event_type = ?1)
  AND (?2 = '' OR e.tenant_id = ?2)
  AND (?3 = '' OR e.aggregate_id = ?3)
  AND (?4 = '' OR ?4 =
-- include: event_state
  )
  AND (?5 IS NULL OR iif(typeof(e.created_at) = 'text', CAST(round(unixepoch(e.created_at, 'subsec') * 1000000) AS INTEGER), e.created_at * 1000) > ?5)
  AND (?6 IS NULL OR iif(typeof(e.created_at) = 'text', CAST(round(unixepoch(e.created_at, 'subsec') * 1000000) AS INTEGER), e.created_at * 1000) < ?6)
  AND (?9 = '' OR e.headers IS NULL OR e.headers <> ?9)
