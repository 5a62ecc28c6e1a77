-- ?1 lane, ?2 text in the error, ?3 died before, ?4 died after, ?5 group, ?6
-- destination, ?7 tenant, ?8 aggregate id, ?9 headers that it leaves out. Equality
-- ignores spaces at the end, hence the additional comparisons of bytes. For resolved
-- letters, IS NULL becomes IS NOT NULL: a parameter in its place would keep indexes
-- from being used.
WHERE d.resolved_at IS NULL
  AND (CHAR_LENGTH(?1) = 0 OR (d.event_type = ?1 AND CONVERT(d.event_type USING binary) = ?1))
  AND (CHAR_LENGTH(?2) = 0 OR LOCATE(?2, d.last_error) > 0)
  AND (?3 IS NULL OR d.died_at < ?3)
  AND (?4 IS NULL OR d.died_at > ?4)
  AND (CHAR_LENGTH(?5) = 0 OR d.group_id = CONVERT(?5 USING ascii))
  AND (CHAR_LENGTH(?6) = 0 OR CONVERT(d.destination USING binary) = ?6)
  AND (CHAR_LENGTH(?7) = 0 OR (d.tenant_id = ?7 AND CONVERT(d.tenant_id USING binary) = ?7))
  AND (CHAR_LENGTH(?8) = 0 OR (d.aggregate_id = ?8 AND CONVERT(d.aggregate_id USING binary) = ?8))
  AND (CHAR_LENGTH(?9) = 0 OR d.headers IS NULL OR d.headers <> ?9)
