-- ?1 lane, ?2 text in the error, ?3 resolved, ?4 died before, ?5 died after, ?6
-- group, ?7 destination, ?8 tenant, ?9 aggregate id. Equality ignores spaces at
-- the end, hence the additional comparisons of bytes.
WHERE (CHAR_LENGTH(?1) = 0 OR (d.event_type = ?1 AND CAST(d.event_type AS BINARY) = ?1))
  AND (CHAR_LENGTH(?2) = 0 OR LOCATE(?2, d.last_error) > 0)
  AND IF(?3, d.resolved_at IS NOT NULL, d.resolved_at IS NULL)
  AND (?4 IS NULL OR d.died_at < ?4)
  AND (?5 IS NULL OR d.died_at > ?5)
  AND (CHAR_LENGTH(?6) = 0 OR d.group_id = CONVERT(?6 USING ascii))
  AND (CHAR_LENGTH(?7) = 0 OR CAST(d.destination AS BINARY) = ?7)
  AND (CHAR_LENGTH(?8) = 0 OR (d.tenant_id = ?8 AND CAST(d.tenant_id AS BINARY) = ?8))
  AND (CHAR_LENGTH(?9) = 0 OR (d.aggregate_id = ?9 AND CAST(d.aggregate_id AS BINARY) = ?9))
