-- ?1 lane, ?2 group, ?3 tenant, ?4 aggregate id, of which at most one is not empty,
-- so that an index finds just these letters; ?5 died before, ?6 died after, ?7 and
-- ?8 the letter to start after or null, ?9 how many to skip. Returns the one after
-- them, if there is one. For resolved letters, all are looked at.
SELECT /*+ NO_SKIP_SCAN(d) */ TIMESTAMPDIFF(MICROSECOND, '1970-01-01', d.died_at), d.event_id
FROM outbox_dlq_event d FORCE INDEX (outbox_dlq_event_died)
WHERE d.resolved_at IS NULL
  AND (CHAR_LENGTH(?1) = 0 OR d.event_type = ?1)
  AND (CHAR_LENGTH(?2) = 0 OR d.group_id = CONVERT(?2 USING ascii))
  AND (CHAR_LENGTH(?3) = 0 OR d.tenant_id = ?3)
  AND (CHAR_LENGTH(?4) = 0 OR d.aggregate_id = ?4)
  AND (?5 IS NULL OR d.died_at < ?5)
  AND (?6 IS NULL OR d.died_at > ?6)
  AND (?7 IS NULL OR (d.died_at <= ?7 AND (d.died_at < ?7 OR d.event_id < ?8)))
ORDER BY d.died_at DESC, d.event_id DESC
LIMIT 1 OFFSET ?9
