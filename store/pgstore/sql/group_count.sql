-- $1 groups, $2 where to stop counting. Unresolved letters of each.
SELECT k.group_id, (
  SELECT count(*) FROM (
    SELECT FROM outbox_dlq_event d
    WHERE d.group_id = k.group_id AND d.resolved_at IS NULL
    LIMIT $2::int) s)
FROM unnest($1::text[]) k(group_id)
