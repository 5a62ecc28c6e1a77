-- $1 by whom, $2 action, $3 how the subjects of a job's entries begin, $4 after, $5
-- before, $6 the entry to start before, $7 the last one to look at, $8 how many.
-- The first five are empty or NULL for any.
SELECT audit_id, acted_at, actor, action, subjects, note
FROM outbox_audit
WHERE audit_id < $6::bigint AND audit_id >= $7::bigint
  AND ($1::text = '' OR actor = $1::text)
  AND ($2::text = '' OR action = $2::text)
  AND ($3::text = '' OR left(subjects, length($3::text)) = $3::text)
  AND ($4::timestamptz IS NULL OR acted_at > $4::timestamptz)
  AND ($5::timestamptz IS NULL OR acted_at < $5::timestamptz)
ORDER BY audit_id DESC
LIMIT $8::int
