-- ?1 lane, ?2 text in the error, ?3 died before, ?4 died after, ?5 group, ?6
-- destination, ?7 tenant, ?8 aggregate id, ?9 headers that it leaves out. For
-- resolved letters, IS NULL becomes IS NOT NULL: a parameter in its place would keep
-- indexes from being used.
WHERE resolved_at IS NULL
  AND (?1 = '' OR event_type = ?1)
  AND (?2 = '' OR instr(last_error, ?2) > 0)
  AND (?3 IS NULL OR died_at < (?3 + 999) / 1000)
  AND (?4 IS NULL OR died_at > ?4 / 1000)
  AND (?5 = '' OR group_id = ?5)
  AND (?6 = '' OR destination = ?6)
  AND (?7 = '' OR tenant_id = ?7)
  AND (?8 = '' OR aggregate_id = ?8)
  AND (?9 = '' OR headers IS NULL OR headers <> ?9)
