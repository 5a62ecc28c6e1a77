-- $1 age in microseconds, $2 how many.
DELETE FROM outbox_event e
WHERE e.event_id = ANY (ARRAY(
    SELECT d.event_id FROM outbox_event d
    WHERE d.status = 1 AND d.done_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
    ORDER BY d.done_at LIMIT $2::int FOR UPDATE SKIP LOCKED))
  AND CASE WHEN e.status = 1 THEN true END
