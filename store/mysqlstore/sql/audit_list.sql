-- ?1 by whom, ?2 action, ?3 how the subjects of a job's entries begin, ?4 after, ?5
-- before, ?6 the entry to start before, ?7 the last one to look at, ?8 how many.
-- The first five are empty or NULL for any.
-- Comparing bytes does not ignore spaces at the end.
SELECT audit_id, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', acted_at), actor, action, subjects, note
FROM outbox_audit
WHERE audit_id < ?6 AND audit_id >= ?7
  AND (CHAR_LENGTH(?1) = 0 OR CONVERT(actor USING binary) = ?1)
  AND (CHAR_LENGTH(?2) = 0 OR CONVERT(action USING binary) = ?2)
  AND (CHAR_LENGTH(?3) = 0 OR LEFT(subjects, CHAR_LENGTH(?3)) = ?3)
  AND (?4 IS NULL OR acted_at > ?4)
  AND (?5 IS NULL OR acted_at < ?5)
ORDER BY audit_id DESC
LIMIT ?8
