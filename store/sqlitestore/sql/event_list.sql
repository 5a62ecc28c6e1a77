-- ?1 lane, ?2 tenant, ?3 aggregate id, ?4 status, ?5 written after, ?6 written
-- before, ?7 the seq to start after, ?8 the last one to look at, ?9 how many.
-- include: event_columns
WHERE e.seq < ?7 AND e.seq >= ?8
  AND (?1 = '' OR e.event_type = ?1)
  AND (?2 = '' OR e.tenant_id = ?2)
  AND (?3 = '' OR e.aggregate_id = ?3)
  AND (?4 = '' OR ?4 =
-- include: event_state
  )
  AND (?5 IS NULL OR iif(typeof(e.created_at) = 'text', CAST(round(unixepoch(e.created_at, 'subsec') * 1000000) AS INTEGER), e.created_at * 1000) > ?5)
  AND (?6 IS NULL OR iif(typeof(e.created_at) = 'text', CAST(round(unixepoch(e.created_at, 'subsec') * 1000000) AS INTEGER), e.created_at * 1000) < ?6)
ORDER BY e.seq DESC
LIMIT ?9
