-- $1 age in microseconds, $2 how many. Locking a row checks its time again: a
-- group that just got a letter stays.
DELETE FROM outbox_dlq_group g
WHERE g.group_id = ANY (ARRAY(
    SELECT o.group_id FROM outbox_dlq_group o
    WHERE o.last_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
      AND (o.muted_until IS NULL OR o.muted_until <= clock_timestamp())
      AND NOT EXISTS (SELECT FROM outbox_dlq_event d WHERE d.group_id = o.group_id AND d.resolved_at IS NULL)
    ORDER BY o.last_at LIMIT $2::int FOR UPDATE SKIP LOCKED))
