-- $1 group, $2 age in microseconds, $3 how many. Rows are never updated, so a
-- locked row keeps its place.
DELETE FROM outbox_consumed_event e
WHERE e.ctid = ANY (ARRAY(
  SELECT c.ctid FROM outbox_consumed_event c
  WHERE c.consumer_group = $1::text AND c.consumed_at <= clock_timestamp() - $2::bigint * interval '1 microsecond'
  ORDER BY c.consumed_at LIMIT $3::int FOR UPDATE SKIP LOCKED))
