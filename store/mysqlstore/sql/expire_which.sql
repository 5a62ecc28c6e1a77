-- ?1 age in microseconds, ?2 how many. Seqs follow the order of writing, so the
-- oldest rows are at the start; it reads no others.
SELECT s.seq
FROM (SELECT o.seq, o.created_at FROM outbox_event o ORDER BY o.seq LIMIT ?2) s
WHERE s.created_at <= UTC_TIMESTAMP(6) - INTERVAL ?1 MICROSECOND
