-- ?1 lane, ?2 text in the error, ?3 resolved, ?4 died before, ?5 died after, ?6
-- group, ?7 destination, ?8 tenant, ?9 aggregate id.
WHERE (?1 = '' OR event_type = ?1)
  AND (?2 = '' OR instr(last_error, ?2) > 0)
  AND (resolved_at IS NOT NULL) = ?3
  AND (?4 IS NULL OR died_at < (?4 + 999) / 1000)
  AND (?5 IS NULL OR died_at > ?5 / 1000)
  AND (?6 = '' OR group_id = ?6)
  AND (?7 = '' OR destination = ?7)
  AND (?8 = '' OR tenant_id = ?8)
  AND (?9 = '' OR aggregate_id = ?9)
