-- ?1 age in microseconds, ?2 how many. Seqs follow the order of writing, so the
-- oldest rows are found at the start; no more than that is looked at.
DELETE e
FROM (
  SELECT o.seq, o.created_at FROM outbox_event o ORDER BY o.seq LIMIT ?2) s
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = s.seq
WHERE s.created_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
