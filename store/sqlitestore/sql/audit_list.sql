-- ?1 by whom, ?2 action, ?3 how the subjects of a job's entries begin, ?4 after, ?5
-- before, ?6 the entry to start before, ?7 the last one to look at, ?8 how many.
-- The first five are empty or NULL for any.
SELECT audit_id, acted_at * 1000, actor, action, subjects, note
FROM outbox_audit
WHERE audit_id < ?6 AND audit_id >= ?7
  AND (?1 = '' OR actor = ?1)
  AND (?2 = '' OR action = ?2)
  AND (?3 = '' OR substr(subjects, 1, length(?3)) = ?3)
  AND (?4 IS NULL OR acted_at * 1000 > ?4)
  AND (?5 IS NULL OR acted_at * 1000 < ?5)
ORDER BY audit_id DESC
LIMIT ?8
