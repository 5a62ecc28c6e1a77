-- $1 age in microseconds, $2 how many. For tables that only writers use, where
-- nearly every row is pending: lane by lane through the pending index, then
-- what was delivered before the relays were switched off.
WITH RECURSIVE lane(event_type) AS (
  (SELECT e.event_type FROM outbox_event e WHERE e.status IN (0, 2) ORDER BY e.event_type LIMIT 1)
  UNION ALL
  SELECT r.event_type FROM lane l CROSS JOIN LATERAL (
    SELECT e.event_type FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type > l.event_type
    ORDER BY e.event_type LIMIT 1) r
)
DELETE FROM outbox_event e
WHERE e.event_id = ANY (ARRAY(
  SELECT r.event_id FROM lane l CROSS JOIN LATERAL (
    SELECT o.event_id FROM outbox_event o
    WHERE o.status IN (0, 2) AND o.event_type = l.event_type
      AND o.available_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
      AND o.created_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
    ORDER BY o.available_at, o.seq LIMIT $2::int FOR UPDATE SKIP LOCKED) r
  UNION ALL
  (SELECT d.event_id FROM (
    SELECT o.event_id FROM outbox_event o
    WHERE o.status = 1 AND o.done_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
    ORDER BY o.done_at LIMIT $2::int FOR UPDATE SKIP LOCKED) d)
  LIMIT $2::int))
